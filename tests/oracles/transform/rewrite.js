// Requests on stdin, a line of JSON each: {source, target, how: 'copy' | 'prune' | 'instance'}; an answer of {} each.
const readline = require('readline');
const { NodeIO } = require('@gltf-transform/core');
const { ALL_EXTENSIONS } = require('@gltf-transform/extensions');
const { dedup, instance, prune } = require('@gltf-transform/functions');

(async () => {
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { source, target, how } = JSON.parse(line);
    const document = await io.read(source);
    document.setLogger({ debug() {}, info() {}, warn() {}, error() {} });
    if (how === 'prune') await document.transform(dedup(), prune());
    if (how === 'instance') await document.transform(dedup(), instance({ min: 2 }));
    await io.write(target, document);
    process.stdout.write('{}\n');
  }
})();

// Requests on stdin, a line of JSON each: {source, target, how}; an answer of {} each. how: 'copy', or a key of HOW.
const readline = require('readline');
const { NodeIO } = require('@gltf-transform/core');
const { ALL_EXTENSIONS } = require('@gltf-transform/extensions');
const { dedup, flatten, instance, join, prune, quantize, resample, weld } = require('@gltf-transform/functions');

const HOW = {
  prune: [dedup(), prune()],
  instance: [dedup(), instance({ min: 2 })],
  flatten: [flatten()],
  join: [dedup(), flatten(), join()],
  weld: [weld()],
  quantize: [quantize()],
  resample: [resample()],
};

(async () => {
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { source, target, how } = JSON.parse(line);
    const document = await io.read(source);
    document.setLogger({ debug() {}, info() {}, warn() {}, error() {} });
    if (how !== 'copy') await document.transform(...HOW[how]);
    await io.write(target, document);
    process.stdout.write('{}\n');
  }
})();

// Requests on stdin, a line of JSON each: {source, target, all}: a GLB without images, opened and saved: all scenes, or the first.
const fs = require('fs');
const readline = require('readline');

globalThis.FileReader = class { // GLTFExporter reads its blobs with that of a browser
  readAsArrayBuffer(blob) {
    blob.arrayBuffer().then((data) => { this.result = data; this.onloadend(); });
  }
};

(async () => {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { GLTFExporter } = await import('three/addons/exporters/GLTFExporter.js');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { source, target, all } = JSON.parse(line);
    const data = fs.readFileSync(source);
    const opened = await new GLTFLoader().parseAsync(data.buffer.slice(data.byteOffset, data.byteOffset + data.length), '');
    const saved = await new GLTFExporter().parseAsync(all ? opened.scenes : opened.scene, { binary: true, animations: opened.animations });
    fs.writeFileSync(target, Buffer.from(saved));
    process.stdout.write('{}\n');
  }
})();

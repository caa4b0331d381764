// Paths of glTF files on stdin, one a line; for each a line of JSON: {errors, warnings, messages}.
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const validator = require('gltf-validator');

async function judged(file) {
  const beside = (uri) => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)));
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 100,
    externalResourceFunction: async (uri) => new Uint8Array(await beside(uri)),
  });
  const { numErrors, numWarnings, messages } = report.issues;
  return {
    errors: numErrors,
    warnings: numWarnings,
    messages: messages.map(({ code, message, severity, pointer }) => ({ code, message, severity, pointer })),
  };
}

(async () => {
  for await (const file of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      answer = await judged(file);
    } catch (error) {
      answer = { errors: 1, warnings: 0, messages: [{ code: 'EXCEPTION', message: String(error), severity: 0 }] };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
})();

// What the page was given: JSON, and one compressed GLB for each model.

/** @returns {import('./types').Data} */
export function data() {
  return JSON.parse(/** @type {HTMLElement} */ (document.getElementById('data')).textContent ?? '');
}

/** The bytes of each GLB. @returns {Promise<ArrayBuffer>[]} */
export function meshes() {
  return [...document.querySelectorAll('.meshes')].map((holder) => {
    const packed = bytes(holder.textContent ?? '');
    holder.remove();
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer().then(summed);
  });
}

/** A GLB whose corners are differences from one to the next (converters/viewer/meshes.py) with corners. @param {ArrayBuffer} glb */
function summed(glb) {
  const length = new DataView(glb).getUint32(12, true);
  const { extras, bufferViews } = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length)));
  for (const [view, width] of extras?.differences ?? []) {
    const { byteOffset, byteLength } = bufferViews[view];
    const numbers = new (width === 2 ? Uint16Array : Uint32Array)(glb, 28 + length + byteOffset, byteLength / width);
    for (let index = 1; index < numbers.length; index += 1) numbers[index] += numbers[index - 1];
  }
  return glb;
}

/** @param {string} text of base64 @returns {Uint8Array<ArrayBuffer>} */
function bytes(text) {
  const own = /** @type {any} */ (Uint8Array).fromBase64;
  if (own) return own.call(Uint8Array, text);
  const raw = atob(text);
  const found = new Uint8Array(raw.length);
  for (let index = 0; index < raw.length; index += 1) found[index] = raw.charCodeAt(index);
  return found;
}

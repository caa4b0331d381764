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
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  });
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

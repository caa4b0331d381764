// Which body an address of a finding is about: body/NAME.geoms.X, joint/NAME, asset/X. Names may hold dots themselves.

/** @typedef {import('./types').Model} Model */

/** @param {Model} model @returns {(where: string) => string} name of the body, "" where there is none */
export function finder(model) {
  /** @type {Map<string, string>} */
  const bodies = new Map(model.bodies.map((body) => [body.name, body.name]));
  /** @type {Map<string, string>} */
  const joints = new Map();
  /** @type {Map<string, string>} */
  const geoms = new Map();
  for (const body of model.bodies) for (const geom of body.geoms) geoms.set(geom.name, body.name);
  for (const joint of model.joints) {
    const child = model.bodies[joint.child].name;
    joints.set(joint.name, child);
    for (const dof of joint.dofs) joints.set(dof.name, child);
  }
  /** @type {Record<string, Map<string, string>>} */
  const tables = { body: bodies, link: bodies, joint: joints, geom: geoms, mass: bodies };
  return (where) => {
    const slash = where.indexOf('/');
    const table = tables[where.slice(0, slash)];
    if (slash < 0 || !table) return '';
    let name = where.slice(slash + 1);
    while (name) {
      const found = table.get(name);
      if (found !== undefined) return found;
      const cut = Math.max(name.lastIndexOf('.'), name.lastIndexOf('['), name.lastIndexOf('/'));
      if (cut < 0) return '';
      name = name.slice(0, cut);
    }
    return '';
  };
}

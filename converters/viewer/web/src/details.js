// What is known of the selected link and of the joint that holds it.
import { byId, element, rule, say, short } from './dom.js';

/** @typedef {import('./state.js').State} State */

/** @param {number[]} numbers */
const row = (numbers) => numbers.map(short).join('  ');

/** @param {State} state */
export function createDetails(state) {
  const place = byId('details');

  /** @param {[string, string][]} pairs */
  const table = (pairs) => element('dl', {}, ...pairs.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));

  /** @param {import('./state.js').Standing} standing */
  function about({ model, poses, values }) {
    const index = model.bodies.findIndex((body) => body.name === state.selected);
    if (index < 0) return [];
    const body = model.bodies[index];
    const found = [];
    if (state.standing.length > 1) found.push(element('h3', {}, model.file));
    /** @type {[string, string][]} */
    const link = [];
    const { inertial } = body;
    if (inertial) {
      link.push(['mass', `${short(inertial.mass)} kg`], ['centre of mass', `${row(inertial.pos)} m`]);
      link.push(['inertia xx yy zz', `${row(inertial.tensor.slice(0, 3))} kg m²`], ['xy xz yz', `${row(inertial.tensor.slice(3))} kg m²`]);
      if (inertial.rot.slice(1).some((each) => each !== 0)) link.push(['axes (w x y z)', row(inertial.rot)]);
      if (inertial.box) link.push(['box of this inertia', `${row(inertial.box.size)} m`]);
    } else link.push(['mass', 'none given']);
    link.push(['position now', `${row(poses[index].pos)} m`], ['rotation now (w x y z)', row(poses[index].rot)]);
    found.push(table(link));
    if (body.geoms.length) {
      found.push(element('h3', {}, `Geometry (${body.geoms.length})`));
      found.push(element('ul', { className: 'geoms' }, ...body.geoms.slice(0, 100).map((geom) => element('li', {},
        element('b', {}, geom.name), ` ${geom.role}: ${geom.shape}`, ...(geom.material ? [`, material ${geom.material}`] : []),
        ...(geom.missing ? [element('em', {}, ` — file not found: ${geom.missing}`)] : [])))));
    }
    for (const joint of model.joints.filter((each) => each.child === index || (each.loop && each.parent === index))) {
      found.push(element('h3', {}, `Joint ${joint.name}${joint.loop ? ' (closes a loop)' : ''}`));
      found.push(table([['from', model.bodies[joint.parent].name], ['to', model.bodies[joint.child].name], ['origin', `${row(joint.pos)} m`]]));
      for (const dof of joint.dofs) {
        const unit = dof.kind === 'slide' ? 'm' : 'rad';
        /** @type {[string, string][]} */
        const said = [['moves', `${dof.name}: ${dof.kind}`]];
        if (dof.kind !== 'ball' && dof.kind !== 'free') {
          said.push(['axis', row(dof.axis)], ['limits', `${dof.lower === null ? '−∞' : short(dof.lower)} … ${dof.upper === null ? '∞' : short(dof.upper)} ${unit}`]);
          said.push(['now', `${short(values.get(dof.name)?.[0] ?? 0)} ${unit}`]);
        }
        if (dof.anchor.some((each) => each !== 0)) said.push(['anchor', `${row(dof.anchor)} m`]);
        if (dof.mimic) said.push(['follows', rule(dof.mimic)]);
        for (const name of /** @type {const} */ (['effort', 'velocity', 'damping', 'friction', 'armature'])) {
          const value = dof[name];
          if (value !== undefined) said.push([name, short(value)]);
        }
        found.push(table(said));
      }
      if (!joint.dofs.length) found.push(element('p', {}, 'Fixed.'));
    }
    const held = model.constraints.filter((each) => each.first === index || each.second === index);
    if (held.length) {
      found.push(element('h3', {}, 'Constraints'));
      found.push(element('ul', {}, ...held.map((each) => element('li', {}, `${each.name}: ${each.kind}, ${model.bodies[each.first].name} – ${model.bodies[each.second].name}`))));
    }
    return found;
  }

  function refresh() {
    byId('selected').textContent = state.selected || 'nothing';
    place.replaceChildren(...(state.selected ? state.standing.flatMap(about) : [element('p', {}, 'Click a link in the picture or in the tree.')]));
  }

  state.on('select', () => {
    refresh();
    say(state.selected ? `Selected ${state.selected}` : 'Nothing selected');
  });
  state.on('pose', () => {
    if (state.selected && byId('details').parentElement.open) refresh();
  });
  refresh();
}

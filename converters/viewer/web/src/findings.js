// The loss report, and where two models differ: each finding leads to its link.
import { finder } from './addresses.js';
import { byId, element, longList } from './dom.js';

/** @typedef {import('./state.js').State} State @typedef {import('./types').Data} Data */

/** @param {State} state @param {Data} data */
export function createFindings(state, data) {
  const finders = state.standing.map(({ model }) => finder(model));
  /** @param {string} where */
  const body = (where) => finders.map((find) => find(where)).find(Boolean) ?? '';

  /** A place that can be gone to, where it is one of the model. @param {string} where */
  function place(where) {
    const found = body(where);
    if (!found) return element('code', {}, where);
    return element('button', { type: 'button', className: 'where', title: `Select ${found}`, onclick: () => state.select(found) }, where);
  }

  const { report, differences } = data;
  const { totals } = report;
  const kinds = ['unexplained', 'dropped', 'approximated', 'carried', 'derived', 'repaired'].filter((kind) => totals[kind]);
  byId('report-summary').textContent = report.target
    ? `Conversion of ${report.source} to ${report.target}: ${kinds.map((kind) => `${totals[kind]} ${kind}`).join(', ') || 'nothing lost'}.`
    : `${totals.source_items} items read from ${report.source}: ${totals.ignored} have no meaning in its format, ${totals.unread} are not understood and kept.`;
  byId('report-count').textContent = String(report.findings.length + report.more);
  const list = longList(byId('report'), (/** @type {import('./types').Finding} */ finding) =>
    element('li', { className: `finding ${finding.action}` },
      element('span', { className: 'action' }, finding.action), ' ', place(finding.where), ...(finding.count > 1 ? [` ×${finding.count}`] : []),
      ...(finding.before || finding.after ? [element('div', { className: 'change' }, `${finding.before || 'nothing'} → ${finding.after || 'nothing'}`)] : []),
      element('div', { className: 'reason' }, finding.reason || finding.rule),
      ...finding.sources.slice(0, 1).map((source) => element('div', { className: 'source' }, `${source.file.split('/').pop()}:${source.line}`)),
    ));
  list.show(report.findings);
  byId('no-findings').hidden = report.findings.length > 0;

  byId('unread-panel').hidden = report.unread.length === 0;
  byId('unread-count').textContent = String(report.unread.length + report.moreUnread);
  longList(byId('unread'), (/** @type {import('./types').Unread} */ each) =>
    element('li', { className: 'finding unread' },
      element('span', { className: 'action' }, 'kept'), ' ', place(each.where), ...(each.items > 1 ? [` ${each.items} items`] : []),
      element('div', { className: 'change' }, each.text),
      element('div', { className: 'source' }, each.source),
    )).show(report.unread);

  byId('differences-panel').hidden = state.standing.length < 2;
  byId('difference-count').textContent = String(differences.length);
  byId('no-differences').hidden = differences.length > 0;
  longList(byId('differences'), (/** @type {import('./types').Difference} */ each) =>
    element('li', { className: 'finding' },
      element('span', { className: 'action' }, each.what), ' ', place(each.where),
      element('div', { className: 'change' }, `${each.first} → ${each.second}${each.by === null ? '' : ` (apart by ${each.by})`}`),
    )).show(differences);
}

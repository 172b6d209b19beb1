// The keys: most denied, fullest, blocked. Rows do not move while they are pointed at or have the focus.

import { arrange, byId, element, group, inUse, setText } from './dom.js';
import { keyElement, limitText, longDuration, longWait, plainKey, share, times, wait, whole } from './format.js';

const SORT_SECONDS = 5;
const MOST_ROWS = 60; // more than the server lists, so that rows can stay for a while

const headings = (...names) => names.map(([text, name]) => element('th', { scope: 'col', class: name }, text));
const ruleCell = ({ rule, limit }) => {
  const text = limitText(limit ?? '');
  return element('td', { class: 'k-by', role: 'cell', title: `${rule} ${text}`.trim() }, `${rule} `, element('span', { class: 'limit sub' }, text));
};

/** A view: its headings, the cells of a row, and what they show. */
const VIEWS = {
  denied: {
    list: model => model.now.mostDenied,
    heads: [['key', 'k-key'], ['denied by', 'k-by'], ['denied/min', 'num k-denied'], ['asks', 'num k-asks'],
      ['next permit in', 'num k-next'], ['since', 'num k-since']],
    cells: [['num den k-denied', 'denied/min'], ['num k-asks', 'asks'], ['num k-next', 'next'], ['num sub k-since', '']],
    texts: entry => [
      (entry.error > 0 ? '≈ ' : '') + whole(entry.deniedPerMinute), times(entry.asks),
      entry.nextPermitMillis === null ? '–' : wait(entry.nextPermitMillis), longDuration(entry.sinceSeconds)],
    note: model => {
      const here = model.unreachable ? ', this server only' : '';
      const { limitedKeys, mostDenied } = model.now;
      const listed = new Set(mostDenied.map(entry => entry.key)).size; // a key has a row for each limit that denied it
      const first = limitedKeys > listed && listed > 0 ? `${listed} of ${whole(limitedKeys)} keys, ` : '';
      const missed = model.missedPerMinute > 0 ? `, without ${whole(model.missedPerMinute)} that came too fast` : '';
      return `${first}by denials, last minute${here}${missed}`;
    },
    none: 'No limit in force denied a key in the last minute.',
  },
  fullest: {
    list: model => model.now.fullest,
    heads: [['key', 'k-key'], ['limit', 'k-by'], ['used', 'k-used']],
    cells: [['k-used', 'used']],
    texts: entry => [`${whole(entry.used)} of ${whole(entry.of)}, ${share(entry.used, entry.of)}`],
    bar: entry => entry.used / entry.of,
    note: () => 'by the share of a limit that is used',
    none: 'No key is close to a limit.',
  },
  blocked: {
    list: model => model.now.blocked,
    heads: [['key', 'k-key'], ['rule', 'k-by'], ['for another', 'num k-until']],
    cells: [['num k-until', 'for another']],
    texts: (entry, model) => [longWait(Date.parse(entry.until) - model.time)],
    note: () => 'by operators, on this server',
    none: 'No key is blocked. To block one, open it.',
  },
};

export class KeyTable {
  #view = 'denied';
  #rows = new Map(); // in the order of the table
  #body = null;
  #shown = '';
  #sortedAt = 0;
  #opened = null; // the row to which the focus returns
  #open;
  #model = null;

  /** `open(entry, row button)` is called when a key is chosen. */
  constructor(open) {
    this.#open = open;
    group(byId('keys-tabs'), view => {
      this.#view = view;
      this.draw(this.#model);
    });
  }

  draw(model) {
    this.#model = model;
    if (!model?.ready) return;
    const view = VIEWS[this.#view];
    const entries = view.list(model);
    const showing = entries.length > 0 || this.#rows.size > 0 && inUse(byId('keys-body')) ? this.#view : `no ${this.#view} ${model.busy}`;
    if (showing !== this.#shown) {
      this.#shown = showing;
      this.#rows.clear();
      this.#sortedAt = 0;
      byId('keys-body').replaceChildren(showing === this.#view ? this.#table(view) : none(view, this.#view === 'denied' && !model.busy));
    }
    if (showing === this.#view) this.#fill(view, entries, model);
    setText(byId('keys-note'), view.note(model));
  }

  #table(view) {
    this.#body = element('tbody');
    return element('table', { class: this.#view }, element('thead', {}, element('tr', {}, ...headings(...view.heads))), this.#body);
  }

  #fill(view, entries, model) {
    const held = inUse(byId('keys')) || byId('sheet').open;
    const sort = !held && model.second - this.#sortedAt >= SORT_SECONDS;
    const rows = entries.map(entry => this.#row(view, entry, model));
    const present = new Set(rows);
    const gone = [...this.#rows.values()].filter(row => !present.has(row));
    for (const row of gone) {
      if (held) row.element.classList.add('gone'); // it stays while the user is in the list
      else this.#rows.delete(row.id);
    }
    if (held) this.#bound(gone);
    if (sort) {
      this.#sortedAt = model.second;
      this.#rows = new Map(rows.map(row => [row.id, row]));
    }
    arrange(this.#body, [...this.#rows.values()].map(row => row.element));
  }

  /** Lets new rows take the places of the first rows that are gone, so that a list in use does not grow for hours. */
  #bound(gone) {
    const spare = gone.filter(row => !inUse(row.element) && row !== this.#opened);
    const rows = [...this.#rows.values()];
    while (rows.length > MOST_ROWS && spare.length > 0) rows[rows.indexOf(spare.shift())] = rows.pop();
    this.#rows = new Map(rows.map(row => [row.id, row]));
  }

  /** Returns the row of an entry, with the figures of now. */
  #row(view, entry, model) {
    const id = JSON.stringify([entry.key, entry.rule, entry.limit]);
    let row = this.#rows.get(id);
    if (!row) {
      row = this.#newRow(view, entry, id);
      this.#rows.set(id, row);
    }
    row.entry = entry;
    row.element.classList.remove('gone');
    view.texts(entry, model).forEach((text, i) => setText(row.cells[i].lastElementChild, text));
    if (view.bar) row.cells[0].firstElementChild.firstElementChild.style.width = `${Math.min(100, 100 * view.bar(entry))}%`;
    return row;
  }

  #newRow(view, entry, id) {
    const button = element('button', { class: 'open-key', type: 'button', title: plainKey(entry.key) }, keyElement(entry.key));
    button.disabled = entry.query === null; // the server cannot be asked for it
    const cells = view.cells.map(([name, label]) => {
      const bar = view.bar ? [element('span', { class: 'bar' }, element('i'))] : [];
      return element('td', { class: name, 'data-label': label, role: 'cell' }, ...bar, element('span'));
    });
    const row = { id, entry, cells };
    row.element = element('tr', { role: 'row' },
      element('th', { scope: 'row', role: 'rowheader', class: 'k-key' }, button),
      ruleCell(entry), ...cells);
    button.addEventListener('click', () => {
      this.#opened = row;
      this.#open(row.entry, button);
    });
    return row;
  }
}

/** What stands in an empty table: before the first decision, a command that causes a denial. */
function none(view, withCommand) {
  if (!withCommand) return element('p', { class: 'empty' }, view.none);
  const command = `for i in 1 2 3 4; do curl -si ${location.origin}/v1/decide \\\n  -d '{"key":"demo","limits":["3/1m"]}' | head -1; done`;
  return element('div', { class: 'empty' },
    element('p', {}, 'A key appears here when a limit denies it. To see one, send four requests to a limit of three:'),
    element('pre', {}, command),
    element('p', {}, 'The fourth is answered with 429, and “demo” is listed here.'));
}

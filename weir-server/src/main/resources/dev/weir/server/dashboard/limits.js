// The limits, most denied first, each with its candidates. Only the rows in sight are drawn.

import { arrange, byId, element, group, inUse, press, setClass, setPath, setText, shape } from './dom.js';
import { count, limitText, rate, share, whole } from './format.js';
import { withoutEffect } from './model.js';
import { hanging, line } from './scale.js';

const SORT_SECONDS = 5;
const MANY = 40;
const BINS = 60;

export class LimitTable {
  #view = null;
  #rows = new Map();
  #sortedAt = 0;
  #model = null;
  #sight = new IntersectionObserver(changes => this.#seen(changes), { rootMargin: '200px' });

  constructor() {
    group(byId('limits-tabs'), view => this.#choose(view));
    byId('filter').addEventListener('input', () => this.#choose('all'));
  }

  #choose(view) {
    this.#view = view;
    press(byId('limits-tabs'), view);
    this.#sortedAt = 0;
    if (this.#model?.ready) this.draw(this.#model);
  }

  /** Forgets the rows: the configuration has changed. */
  reset(model) {
    this.#sight.disconnect();
    this.#rows.clear();
    this.#sortedAt = 0;
    if (this.#view === null) this.#choose(model.limits.length > MANY ? 'denying' : 'all');
  }

  draw(model) {
    this.#model = model;
    const held = inUse(byId('limits-body'));
    if (this.#sortedAt === 0 || !held && model.second - this.#sortedAt >= SORT_SECONDS) this.#sort();
    for (const row of this.#rows.values()) if (row.visible) this.#update(row);
    setText(byId('limits-note'), note(model));
  }

  #sort() {
    this.#sortedAt = this.#model.second;
    const chosen = groups(this.#model).filter(limits => this.#isChosen(limits)).flat();
    const rows = chosen.map(limit => this.#rows.get(limit.id) ?? this.#newRow(limit));
    arrange(byId('limits-body'), rows.length > 0 ? rows.map(row => row.element) : [none(this.#view)]);
  }

  #isChosen(limits) {
    const name = byId('filter').value.trim().toLowerCase();
    const matches = limits.some(limit => `${limit.rule} ${limit.limit}`.toLowerCase().includes(name));
    if (this.#view === 'denying') return matches && limits.some(limit => limit.deniedPerMinute > 0);
    return matches && (this.#view === 'all' || limits.some(withoutEffect));
  }

  #newRow(limit) {
    const picture = shape('svg', { width: '100%', height: 31, viewBox: '0 0 60 31', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    setPath(picture, 'base', `M0 17.5H${BINS}`);
    const cell = (name, label) => element('td', { class: name, role: 'cell', 'data-label': label });
    const cells = [cell('num l-rate', 'decisions/s'), cell('num l-denied', 'denied/s'), cell('num l-share', 'denied'), cell('num l-keys', 'keys denied')];
    const row = { limit, picture, cells, drawn: -1, visible: true, tag: element('span', { class: 'tag' }), differs: element('span', { class: 'sub differs' }) };
    row.element = element('tr', { role: 'row', class: limit.of == null ? '' : 'candidate' },
      element('th', { scope: 'row', role: 'rowheader' }, ...title(limit), row.tag, row.differs),
      element('td', { class: 'l-chart', role: 'cell' }, picture), ...cells);
    this.#rows.set(limit.id, row);
    this.#sight.observe(row.element);
    return row;
  }

  #seen(changes) {
    const byElement = new Map([...this.#rows.values()].map(row => [row.element, row]));
    for (const change of changes) {
      const row = byElement.get(change.target);
      if (!row) continue;
      row.visible = change.isIntersecting;
      if (row.visible) this.#update(row);
    }
  }

  #update(row) {
    const { limit, cells } = row;
    if (row.drawn !== limit.version) {
      row.drawn = limit.version;
      setPath(row.picture, 'trend', line(limit.allowedBins, 16, 2, Math.max(1, ...limit.allowedBins)));
      setPath(row.picture, 'denied', hanging(limit.deniedBins, 18, 12, Math.max(1, ...limit.deniedBins)));
    }
    const live = comparable(limit, this.#model);
    setText(cells[0], rate(limit.decisionsPerSecond));
    setText(cells[1], rate(limit.deniedPerSecond));
    setClass(cells[1], 'den', limit.deniedPerSecond > 0 && !withoutEffect(limit));
    setText(cells[2], share(limit.deniedPerMinute, limit.decisionsPerMinute) + (live ? `, live ${share(live.deniedPerMinute, live.decisionsPerMinute)}` : ''));
    setText(cells[3], whole(limit.keysDenied) + (live ? `, live ${whole(live.keysDenied)}` : ''));
    setText(row.differs, differences(limit));
    this.#mark(row);
  }

  /** The tag beside the name: how the limit counts, or what stands in for it. */
  #mark(row) {
    const { mode } = row.limit;
    const local = this.#model.unreachable && mode === 'live';
    const text = local ? this.#model.storeInfo.failurePolicy : mode === 'live' ? '' : mode;
    setText(row.tag, text);
    setClass(row.tag, 'warn', local);
    row.tag.hidden = text === '';
  }
}

/** What stands in an empty table. */
function none(view) {
  const texts = { denying: 'No limit denies now.', shadow: 'No limit is in shadow mode or has a candidate.', all: 'There are no limits yet.' };
  return element('tr', {}, element('td', { colspan: 6, class: 'sub' }, byId('filter').value.trim() === '' ? texts[view] : 'No limit matches.'));
}

/** The limits with their candidates, those that deny most first. */
function groups({ limits, inForce }) {
  const live = [...inForce];
  live.sort((a, b) => b.deniedPerMinute - a.deniedPerMinute || a.rule.localeCompare(b.rule) || a.id - b.id);
  return live.map(limit => [limit, ...limits.filter(other => other.of === limit.id)]);
}

/** The live limit of a candidate's rule; null if the rule has several, since what one of them denies is not what the rule denies. */
function comparable({ of, rule }, { inForce }) {
  if (of == null) return null;
  const live = inForce.filter(limit => limit.rule === rule);
  return live.length === 1 ? live[0] : null;
}

/** On how many requests a candidate and the live limit differ. */
function differences({ of, cells }) {
  if (of == null || cells === null) return '';
  const [bothAllow, bothDeny, onlyLive, onlyCandidate] = cells;
  const all = bothAllow + bothDeny + onlyLive + onlyCandidate;
  return `of ${count(all, 'request', 'requests')}: ${whole(onlyCandidate)} denied only by it, ${whole(onlyLive)} only live`;
}

function title(limit) {
  const text = element('span', { class: limit.of == null ? 'limit sub' : 'limit' }, limitText(limit.limit));
  return limit.of == null ? [`${limit.rule} `, text] : [text];
}

function note({ limits, inForce }) {
  const denying = inForce.filter(limit => limit.deniedPerMinute > 0).length;
  const candidates = limits.filter(limit => limit.of != null).length;
  const more = candidates === 0 ? '' : `, ${count(candidates, 'candidate', 'candidates')} tried beside them`;
  return `${listed(inForce)}, ${denying} denying${more}`;
}

/** How many limits have a row of their own. */
function listed(inForce) {
  const named = inForce.filter(limit => limit.limit !== '').length;
  return `${whole(named)} listed${named < inForce.length ? ' and others in one row' : ''}`;
}

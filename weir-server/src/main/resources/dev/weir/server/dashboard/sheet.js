// One key: a modal dialog with its state, which is requested a second after the previous answer and drawn five times a second.

import { Actions } from './actions.js';
import { call } from './connection.js';
import { byId, element, fill, press, setText, updateEach } from './dom.js';
import { count, exactDuration, keyElement, limitText, longWait, times, wait, whole } from './format.js';
import { keyPath, snapshotOf } from './snapshot.js';
import { drawLevel, drawLog } from './timeline.js';

const ASK_MILLIS = 1_000; // after an answer, so that requests do not pile up if the server does not answer
const DRAW_MILLIS = 200;

export class Sheet {
  #dialog = byId('sheet');
  #model;
  #entry = null; // what was chosen; null while the dialog is closed
  #snapshot = null;
  #calls = 0; // only the answer to the latest call is taken
  #chosen = null; // the limit whose log is drawn, if the user chose one
  #timer = 0;
  #actions = new Actions(() => this.#ask());
  #opener = null;

  constructor(model) {
    this.#model = model;
    byId('sheet-close').addEventListener('click', () => this.#dialog.close());
    let pressed = null; // a selection that begins in the sheet may end beside it
    this.#dialog.addEventListener('pointerdown', event => { pressed = event.target; });
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog && pressed === this.#dialog) this.#dialog.close(); // beside the sheet
    });
    this.#dialog.addEventListener('close', () => this.#closed());
    byId('log-tabs').addEventListener('click', event => this.#choose(event.target.closest('button')));
  }

  /** Opens the key of a row. */
  open(entry, opener) {
    this.#entry = { ...entry }; // a new one, also if the same row is opened again
    this.#opener = opener;
    this.#snapshot = null;
    this.#chosen = null;
    byId('sheet-key').replaceChildren(keyElement(entry.key));
    for (const id of ['sheet-rules', 'log', 'log-fits', 'log-tabs']) byId(id).replaceChildren();
    for (const cell of byId('sheet-next').querySelectorAll('dd')) setText(cell, '–');
    setText(byId('log-note'), '');
    setText(byId('sheet-problem'), '');
    this.#actions.open(this.#entry);
    this.#dialog.showModal();
    byId('sheet-close').focus();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#draw(), DRAW_MILLIS);
    this.#follow(this.#entry);
  }

  async #follow(entry) {
    while (this.#entry === entry) {
      await this.#ask();
      await new Promise(next => { setTimeout(next, ASK_MILLIS); });
    }
  }

  #closed() {
    if (this.#dialog.open) return; // opened again before this event came
    clearInterval(this.#timer);
    this.#entry = null;
    const focused = document.activeElement;
    if (focused !== document.body && !this.#dialog.contains(focused)) return; // the browser gave the focus back, or the user moved on
    const back = this.#opener.isConnected ? this.#opener : byId('keys-tabs').firstElementChild;
    back.focus();
  }

  async #ask() {
    const entry = this.#entry;
    if (entry === null || document.hidden) return;
    const number = ++this.#calls;
    const current = () => this.#entry === entry && this.#calls === number;
    try {
      const answer = await call(keyPath(entry));
      if (current()) this.#take(snapshotOf(entry, JSON.parse(answer), performance.now()));
    } catch (failure) {
      if (current()) setText(byId('sheet-problem'), `Not current: ${failure.message}`);
    }
  }

  #take(snapshot) {
    this.#snapshot = snapshot;
    setText(byId('sheet-problem'), '');
    this.#actions.known(snapshot);
    this.#drawRules();
    this.#draw();
  }

  #draw() {
    const snapshot = this.#snapshot;
    if (snapshot === null) return;
    const limit = this.#limit(snapshot);
    const elapsed = Math.min(performance.now() - snapshot.receivedAt, untilChange(snapshot, limit));
    this.#drawNext(snapshot, limit, elapsed);
    this.#drawTabs(snapshot, limit);
    byId('log-figure').hidden = limit.of === 0;
    if (limit.of === 0) return; // a limit that denies everything has no log
    const timed = limit.bars !== null;
    setText(byId('log-title'), timed ? 'Its log, to scale' : 'Its level');
    setText(byId('log-note'), logNote(limit));
    (timed ? drawLog : drawLevel)(byId('log'), limit, elapsed);
    fill(byId('log-fits'), limit.fits.map(fit => [count(fit.permits, 'permit', 'permits'), fitText(fit, elapsed)]));
  }

  /** The limit that is drawn: the chosen one, else the one with the longest wait. */
  #limit(snapshot) {
    const longest = snapshot.limits.reduce((most, limit) => (limit.waitMillis > most.waitMillis ? limit : most));
    return snapshot.limits.find(limit => limit.text === this.#chosen) ?? longest;
  }

  #drawNext(snapshot, limit, elapsed) {
    const [next, used, asks] = byId('sheet-next').children;
    const waitMillis = Math.max(0, limit.waitMillis - elapsed);
    if (snapshot.blockedMillis > elapsed) {
      fillCell(next, 'Blocked', longWait(snapshot.blockedMillis - elapsed), 'every request is denied until then');
    } else if (limit.of === 0) {
      fillCell(next, 'Next permit', 'never', 'the limit is 0');
    } else {
      const free = Math.max(0, limit.of - limit.used);
      fillCell(next, 'Next permit', waitMillis > 0 ? `in ${wait(waitMillis)}` : 'now', waitMillis > 0 ? 'if nothing else happens' : `${whole(free)} free`);
    }
    fillCell(used, 'Used', `${whole(limit.used)} of ${whole(limit.of)}`, `${this.#entry.rule} ${limitText(limit.text)}`);
    const row = this.#model.now.mostDenied.find(({ key, rule, limit: text }) =>
      key === this.#entry.key && rule === this.#entry.rule && text === limit.text);
    fillCell(asks, 'Asks', row ? times(row.asks) : '–', row ? `its limit; ${whole(row.deniedPerMinute)} denied in the last minute` : 'not among the most denied');
  }

  #drawTabs(snapshot, limit) {
    const tabs = byId('log-tabs');
    tabs.hidden = snapshot.limits.length < 2;
    updateEach(tabs, snapshot.limits, () => element('button', { type: 'button', class: 'limit' }), (tab, { text }) => {
      tab.dataset.view = text;
      setText(tab, limitText(text));
    });
    press(tabs, limit.text);
  }

  #choose(button) {
    if (!button) return;
    this.#chosen = button.dataset.view;
    this.#draw();
  }

  #drawRules() {
    const { rules, matched } = this.#snapshot;
    const first = matched === null ? [] : [{ mark: '✓', name: this.#entry.rule, reason: matched, tone: 'hit' }];
    updateEach(byId('sheet-rules'), [...first, ...rules], newRule, (item, { mark, name, reason, tone }) => {
      item.className = tone;
      [mark, name, reason].forEach((text, part) => setText(item.children[part], text));
    });
  }
}

const newRule = () => element('li', {},
  element('span', { 'aria-hidden': 'true' }), element('span', { class: 'limit' }), element('span', { class: 'sub' }));

function fitText({ afterMillis }, elapsed) {
  if (afterMillis === null) return 'never';
  return afterMillis <= elapsed ? 'now' : `in ${wait(afterMillis - elapsed)}`;
}

/**
 * The milliseconds from a snapshot until permits become free or a block ends, less one. What is drawn runs on until then: only the next
 * answer says what is used afterwards, and a permit that is free "now" beside a limit that is used up would contradict itself.
 */
function untilChange(snapshot, limit) {
  const changes = [snapshot.blockedMillis, ...limit.fits.map(fit => fit.afterMillis ?? 0)].filter(millis => millis > 0);
  return Math.max(0, Math.min(...changes) - 1);
}

function logNote(limit) {
  if (limit.bars === null) return 'This algorithm keeps a level and no log. The line shows the permits that are free, if nothing else happens.';
  const later = exactDuration(limit.windowMillis);
  const above = limit.attempts ? 'Attempts that count above the line, those denied below.' : 'Admitted above the line, denied below.';
  if (limit.truncated) return `${above} Only the newest part of this long log is drawn. Older permits count, too, so the stretch on the left is not empty.`;
  return limit.exact
    ? `${above} Each request above frees its permit exactly ${later} later, so the empty stretch on the left is the wait.`
    : `${above} This algorithm counts by buckets: the permits of a bucket are free ${later} after its time.`;
}

function fillCell(cell, name, big, sub) {
  const [term, figure, note] = cell.children;
  setText(term, name);
  setText(figure, big);
  setText(note, sub);
}

// One key: a modal dialog with its state, which is requested a second after the previous answer and drawn five times a second.

import { Actions } from './actions.js';
import { call, problem } from './connection.js';
import { arrange, byId, element, press, setText } from './dom.js';
import { count, keyElement, limitText, longDuration, longWait, times, wait, whole } from './format.js';
import { keyPath, snapshotOf } from './snapshot.js';
import { drawLevel, drawLog } from './timeline.js';

const ASK_MILLIS = 1_000; // after an answer, so that requests do not pile up if the server does not answer
const ANSWER_MILLIS = 5_000; // the longest wait for an answer
const DRAW_MILLIS = 200;

export class Sheet {
  #dialog = byId('sheet');
  #model;
  #entry = null; // what was chosen; null while the dialog is closed
  #listed = null; // the key's row among the most denied, if it is there
  #snapshot = null;
  #chosen = null; // the limit whose log is drawn, if the user chose one
  #timer = 0;
  #actions = new Actions(() => this.#ask());
  #opener = null;

  constructor(model) {
    this.#model = model;
    byId('sheet-close').addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog) this.#dialog.close(); // beside the sheet
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
    this.#say('');
    this.#actions.open(this.#entry);
    this.listed(this.#model);
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

  /** Takes over what the latest frame says of the key. */
  listed(model) {
    if (this.#entry === null) return;
    this.#listed = model.now.mostDenied.find(row => row.key === this.#entry.key && row.rule === this.#entry.rule) ?? null;
  }

  async #ask() {
    const entry = this.#entry;
    if (entry === null || document.hidden) return;
    try {
      const response = await call(keyPath(entry), { signal: AbortSignal.timeout(ANSWER_MILLIS) });
      if (!response.ok) throw new Error(await problem(response));
      const state = await response.json();
      if (this.#entry !== entry) return; // closed meanwhile
      this.#snapshot = snapshotOf(entry, state, performance.now());
      this.#say('');
      this.#actions.known(this.#snapshot);
      this.#drawRules();
      this.#draw();
    } catch (failure) {
      const reason = failure.name === 'TimeoutError' ? 'the server does not answer' : failure.message;
      if (this.#entry === entry) this.#say(`Not current: ${reason}`);
    }
  }

  #say(text) {
    setText(byId('sheet-problem'), text);
    byId('sheet-problem').hidden = text === '';
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
    this.#drawFits(limit, elapsed);
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
    const row = this.#listed;
    fillCell(asks, 'Asks', row ? times(row.asks) : '–', row ? `its limit; ${whole(row.deniedPerMinute)} denied in the last minute` : 'not among the most denied');
  }

  #drawTabs(snapshot, limit) {
    const tabs = byId('log-tabs');
    tabs.hidden = snapshot.limits.length < 2;
    if (tabs.children.length !== snapshot.limits.length) {
      tabs.replaceChildren(...snapshot.limits.map(({ text }) => element('button', { type: 'button', class: 'limit', 'data-view': text }, limitText(text))));
    }
    press(tabs, limit.text);
  }

  #choose(button) {
    if (!button) return;
    this.#chosen = button.dataset.view;
    this.#draw();
  }

  #drawFits(limit, elapsed) {
    const list = byId('log-fits');
    if (list.children.length !== limit.fits.length) {
      list.replaceChildren(...limit.fits.map(() => element('div', {}, element('dt'), element('dd'))));
    }
    limit.fits.forEach(({ permits, afterMillis }, i) => {
      const after = afterMillis === null ? 'never' : afterMillis <= elapsed ? 'now' : `in ${wait(afterMillis - elapsed)}`;
      setText(list.children[i].firstElementChild, count(permits, 'permit', 'permits'));
      setText(list.children[i].lastElementChild, after);
    });
  }

  #drawRules() {
    const { rules, matched } = this.#snapshot;
    const first = matched === null ? [] : [{ mark: '✓', name: this.#entry.rule, reason: matched, tone: 'hit' }];
    arrange(byId('sheet-rules'), [...first, ...rules].map(rule => element('li', { class: rule.tone },
      element('span', { 'aria-hidden': 'true' }, rule.mark), element('span', { class: 'limit' }, rule.name), element('span', { class: 'sub' }, rule.reason))));
  }
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
  const later = longDuration(limit.windowMillis / 1000);
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

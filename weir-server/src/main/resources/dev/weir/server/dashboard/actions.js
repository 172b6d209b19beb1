// What an operator can do with a key. Each action states its effect first and is done by a second click.

import { copyText } from './clipboard.js';
import { call, problem } from './connection.js';
import { byId, element, setText } from './dom.js';
import { count, whole } from './format.js';
import { keyPath } from './snapshot.js';

export class Actions {
  #entry = null;
  #snapshot = null;
  #done;

  /** `done()` is called when a key has been changed. */
  constructor(done) {
    this.#done = done;
    byId('block').addEventListener('click', event => (this.#blocked ? this.#unblock(event.target) : this.#block(event.target)));
    byId('reset').addEventListener('click', event => this.#reset(event.target));
    byId('copy-key').addEventListener('click', () => this.#copyKey());
    byId('copy').addEventListener('click', () => this.#copy());
  }

  open(entry) {
    this.#entry = entry;
    this.#snapshot = null;
    this.#show();
    this.#name();
  }

  /** Takes over the latest state of the key. */
  known(snapshot) {
    this.#snapshot = snapshot;
    this.#name();
  }

  get #blocked() {
    return this.#snapshot !== null && this.#snapshot.blockedMillis > 0;
  }

  #name() {
    setText(byId('block'), this.#blocked ? 'Unblock' : 'Block');
    byId('block-for').hidden = this.#blocked;
    byId('copy-key').disabled = this.#snapshot === null; // a long key is listed shortened
  }

  #block(button) {
    const time = byId('block-for');
    const shown = time.selectedOptions[0].textContent;
    this.#confirm(button, `Denies every request of this key for ${shown}, whatever its limits say. Its log stays.`, `Block for ${shown}`,
      () => call(keyPath(this.#entry, '/block', `&for=${time.value}`), { method: 'PUT' }));
  }

  #unblock(button) {
    this.#confirm(button, 'Its limits decide again from now on.', 'Unblock', () => call(keyPath(this.#entry, '/block'), { method: 'DELETE' }));
  }

  #reset(button) {
    const limit = this.#snapshot?.limits.reduce((least, other) => (other.of - other.used < least.of - least.used ? other : least));
    const effect = limit
      ? `Forgets ${count(limit.used, 'admitted permit', 'admitted permits')}: up to ${whole(limit.of)} more can pass at once, `
        + `so a window may hold ${whole(limit.used + limit.of)}. Lifts a block, too.`
      : 'Forgets what the key was granted, and lifts a block.';
    this.#confirm(button, effect, 'Reset this key', () => call(keyPath(this.#entry), { method: 'DELETE' }));
  }

  /** States the effect, and runs the action if it is confirmed; the focus then returns to the button. */
  #confirm(button, effect, label, action) {
    const run = element('button', { class: 'btn primary', type: 'button', id: 'confirm' }, label);
    const cancel = element('button', { class: 'btn', type: 'button' }, 'Cancel');
    run.addEventListener('click', () => {
      run.disabled = true;
      this.#run(action, button);
    });
    cancel.addEventListener('click', () => {
      this.#show();
      button.focus();
    });
    this.#show(element('p', {}, effect), element('div', { class: 'actions' }, run, cancel));
    run.focus();
  }

  async #run(action, button) {
    const entry = this.#entry;
    let said = 'Done.';
    try {
      const response = await action();
      if (!response.ok) said = `Not done: ${await problem(response)}`;
    } catch (failure) {
      said = `It is not known whether it was done: ${failure.message}`;
    }
    if (this.#entry !== entry) return; // another key is open
    this.#show(element('p', { role: 'status' }, said));
    button.focus();
    this.#done();
  }

  async #copyKey() {
    const said = await copyText(this.#snapshot.key) ? 'Key copied.' : 'Not copied: the browser does not permit it.';
    this.#show(element('p', { role: 'status' }, said));
  }

  async #copy() {
    try {
      const response = await call(keyPath(this.#entry, '/trace.csv'));
      if (!response.ok) throw new Error(await problem(response));
      await this.#put(await response.text());
    } catch (failure) {
      this.#show(element('p', { role: 'status' }, `Not copied: ${failure.message}`));
    }
  }

  /** Copies a trace; if the browser does not permit that, shows it selected. */
  async #put(trace) {
    const check = element('code', {}, `./weir verify --limit "${this.#entry.limit}" trace.csv`);
    if (await copyText(trace)) {
      this.#show(element('p', { role: 'status' }, 'Copied. Save it and check it with ', check));
      return;
    }
    const area = element('textarea', { class: 'field', readonly: '', rows: 4, 'aria-label': 'trace.csv' });
    area.value = trace;
    this.#show(element('p', { role: 'status' }, 'Copy it from here, and check it with ', check), area);
    area.select();
  }

  #show(...parts) {
    byId('confirmation').replaceChildren(...parts.length === 0 ? [] : [element('div', { class: 'confirm' }, ...parts)]);
  }
}

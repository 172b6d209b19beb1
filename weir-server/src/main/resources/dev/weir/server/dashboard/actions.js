// What an operator can do with a key. Each action states its effect first and is done by a second click.

import { copyText } from './clipboard.js';
import { call, Refusal } from './connection.js';
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
    byId('copy').addEventListener('click', () => this.#copyTrace());
  }

  open(entry) {
    this.#entry = entry;
    this.#snapshot = null;
    this.#show(entry);
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
    for (const id of ['copy-key', 'copy']) byId(id).disabled = this.#snapshot === null;
  }

  #block(button) {
    const time = byId('block-for');
    const shown = time.selectedOptions[0].textContent;
    this.#confirm(button, `Denies every request of this key for ${shown}, whatever its limits say. Its log stays.`, `Block for ${shown}`,
      'PUT', keyPath(this.#entry, '/block', `&for=${time.value}`));
  }

  #unblock(button) {
    this.#confirm(button, 'Its limits decide again from now on.', 'Unblock', 'DELETE', keyPath(this.#entry, '/block'));
  }

  #reset(button) {
    const limit = this.#snapshot?.limits.reduce((least, other) => (other.of - other.used < least.of - least.used ? other : least));
    const effect = limit
      ? `Forgets ${count(limit.used, 'admitted permit', 'admitted permits')}: up to ${whole(limit.of)} more can pass at once, `
        + `so a window may hold ${whole(limit.used + limit.of)}. Lifts a block, too.`
      : 'Forgets what the key was granted, and lifts a block.';
    this.#confirm(button, effect, 'Reset this key', 'DELETE', keyPath(this.#entry));
  }

  /** States the effect of a call, and makes it if that is confirmed; the focus then returns to the button. */
  #confirm(button, effect, label, method, path) {
    const run = element('button', { class: 'btn primary', type: 'button', id: 'confirm' }, label);
    const cancel = element('button', { class: 'btn', type: 'button' }, 'Cancel');
    run.addEventListener('click', () => {
      run.disabled = true;
      cancel.disabled = true;
      this.#run(button, method, path);
    });
    cancel.addEventListener('click', () => {
      this.#show(this.#entry);
      button.focus();
    });
    this.#show(this.#entry, element('p', {}, effect), element('div', { class: 'actions' }, run, cancel));
    run.focus();
  }

  async #run(button, method, path) {
    const entry = this.#entry;
    let result = 'Done.';
    try {
      await call(path, { method });
    } catch (failure) {
      result = `${failure instanceof Refusal ? 'Not done' : 'It is not known whether it was done'}: ${failure.message}`;
    }
    if (!this.#show(entry, element('p', {}, result))) return;
    button.focus();
    this.#done();
  }

  async #copyKey() {
    const entry = this.#entry;
    const copied = await copyText(this.#snapshot.key);
    this.#show(entry, element('p', {}, copied ? 'Key copied.' : 'Not copied: the browser does not permit it.'));
  }

  async #copyTrace() {
    const entry = this.#entry;
    const check = element('code', {}, `./weir verify --limit "${this.#snapshot.traced}" trace.csv`);
    try {
      const trace = await call(keyPath(entry, '/trace.csv'));
      if (this.#entry === entry) await this.#put(entry, trace, check);
    } catch (failure) {
      this.#show(entry, element('p', {}, `Not copied: ${failure.message}`));
    }
  }

  /** Copies a trace; if the browser does not permit that, shows it selected. */
  async #put(entry, trace, check) {
    if (await copyText(trace)) {
      this.#show(entry, element('p', {}, 'Copied. Save it and check it with ', check));
      return;
    }
    const area = element('textarea', { class: 'field', readonly: '', rows: 4, 'aria-label': 'trace.csv' });
    area.value = trace;
    this.#show(entry, element('p', {}, 'Copy it from here, and check it with ', check), area);
    area.select();
  }

  /** Shows what is said of a key, unless another one is open by now; returns whether it is shown. */
  #show(entry, ...parts) {
    if (this.#entry !== entry) return false;
    byId('confirmation').replaceChildren(...parts.length === 0 ? [] : [element('div', { class: 'confirm' }, ...parts)]);
    return true;
  }
}

// The stream of events, which is opened again when it ends, and calls. The token is kept in this module's memory, nowhere else.

const FIRST_RETRY_MILLIS = 1_000;
const LAST_RETRY_MILLIS = 15_000;
const SILENCE_MILLIS = 15_000; // a stream that sends nothing for this time has ended
const ANSWER_MILLIS = 5_000; // the longest wait for the answer to a call
const MAX_EVENT_CHARACTERS = 4 << 20;
const SERVER_ERROR = 500; // from this status on, the store or the server behind a proxy may have done what it was asked for

let token = '';

export function useToken(value) {
  token = value;
}

function send(path, options) {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return fetch(path, { cache: 'no-store', credentials: 'omit', redirect: 'error', ...options, headers });
}

/** The server has answered that it did nothing of what it was asked for; the message says why. */
export class Refusal extends Error {}

/** Calls the server, and returns the text of the answer; the path has its parameters encoded. */
export async function call(path, options = {}) {
  try {
    const response = await send(path, { ...options, signal: AbortSignal.timeout(ANSWER_MILLIS) });
    if (response.ok) return await response.text();
    const reason = await problem(response);
    throw response.status < SERVER_ERROR ? new Refusal(reason) : new Error(reason);
  } catch (failure) {
    throw failure.name === 'TimeoutError' ? new Error('the server does not answer') : failure;
  }
}

/** The `detail` of problem details, or the status. */
export async function problem(response) {
  const details = await response.json().catch(() => null); // a proxy may have answered
  return details?.detail ?? `status ${response.status}`;
}

/**
 * Keeps a stream open.
 *
 * Calls `received(name, data)` for each event and `changed(phase, detail)` on each change of the phase: `connecting`, `live`,
 * `lost` (the detail has the time of the next attempt, and the reason if the server gave one), `token` and `forbidden` (the detail is
 * the server's reason), `closed`.
 */
export class Connection {
  #path;
  #received;
  #changed;
  #abort = null;
  #timer = 0;
  #silence = 0;
  #retryMillis = FIRST_RETRY_MILLIS;

  constructor(path, received, changed) {
    this.#path = path;
    this.#received = received;
    this.#changed = changed;
  }

  /** Opens the stream now, also if the next attempt is due later. */
  open() {
    this.#stop();
    this.#changed('connecting');
    const abort = new AbortController();
    this.#abort = abort;
    this.#read(abort).catch(() => this.#lost(abort));
  }

  close() {
    this.#stop();
    this.#changed('closed');
  }

  #stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#abort?.abort();
    this.#abort = null;
  }

  async #read(abort) {
    this.#expectMore(abort);
    const response = await send(this.#path, { signal: abort.signal });
    if (!response.ok) {
      const reason = await problem(response);
      const phase = { 401: 'token', 403: 'forbidden' }[response.status];
      if (!phase) this.#lost(abort, reason);
      else if (this.#abort === abort) { // else closed, or opened again, meanwhile
        this.#stop();
        this.#changed(phase, reason);
      }
      return;
    }
    for await (const event of events(response.body)) {
      if (this.#abort !== abort) return;
      this.#expectMore(abort);
      this.#retryMillis = FIRST_RETRY_MILLIS;
      this.#changed('live');
      this.#pass(event);
    }
    throw new Error('the stream ended');
  }

  /** A fault of the page is logged; the stream is opened again, as it begins with a state. */
  #pass(event) {
    try {
      this.#received(event.name, JSON.parse(event.data));
    } catch (fault) {
      reportError(fault);
      throw fault;
    }
  }

  #expectMore(abort) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(abort), SILENCE_MILLIS);
  }

  #lost(abort, reason = '') {
    if (this.#abort !== abort) return; // closed, or opened again, meanwhile
    this.#stop();
    this.#changed('lost', { retryAt: Date.now() + this.#retryMillis, reason });
    this.#timer = setTimeout(() => this.open(), this.#retryMillis);
    this.#retryMillis = Math.min(2 * this.#retryMillis, LAST_RETRY_MILLIS);
  }
}

/** The events of a body of type text/event-stream. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    if (rest.length > MAX_EVENT_CHARACTERS) throw new Error('an event is too long');
    for (const block of blocks) {
      const event = parsed(block);
      if (event.data !== '') yield event;
    }
  }
}

function parsed(block) {
  const event = { name: 'message', data: '' };
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event.name = line.slice(6).trim();
    if (line.startsWith('data:')) event.data += line.slice(5).trimStart();
  }
  return event;
}

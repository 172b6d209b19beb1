// The page: receives frames, draws them, and knows whether they are current.

import { drawAnswers, say } from './answers.js';
import { drawConfiguration, drawServer } from './configuration.js';
import { Connection, useToken } from './connection.js';
import { byId, setClass, setText } from './dom.js';
import { longDuration, moment } from './format.js';
import { KeyTable } from './keys.js';
import { LimitTable } from './limits.js';
import { Model } from './model.js';
import { Sheet } from './sheet.js';
import { drawStore, Traffic } from './traffic.js';

const HIDDEN_MILLIS = 60_000;
const STALE_MILLIS = 5_000;

const model = new Model();
const sheet = new Sheet(model);
const keys = new KeyTable((entry, row) => sheet.open(entry, row));
const limits = new LimitTable();
const traffic = new Traffic();
const connection = new Connection('/v1/events', received, changed);

let phase = { name: 'connecting', detail: null };
let refusal = ''; // why the server sends nothing, if it says so; kept during the next attempt
let receivedAt = 0;
let openedAt = 0;
let paused = false;
let locked = false;
let tokenGiven = false;
let hiddenTimer = 0;

function received(name, data) {
  if (name === 'state') {
    model.state(data);
    limits.reset(model);
    drawConfiguration(model);
  } else if (name === 'frame') {
    model.frame(data);
    receivedAt = Date.now();
    draw();
  }
}

function draw() {
  if (!model.ready || document.hidden) return;
  drawServer(model);
  drawAnswers(model);
  keys.draw(model);
  traffic.draw(model);
  drawStore(model);
  limits.draw(model);
  drawPhase();
}

function changed(name, detail = null) {
  phase = { name, detail };
  if (name !== 'connecting') refusal = name === 'lost' ? detail.reason : '';
  if (name === 'live') lock(false);
  if (name === 'token' || name === 'forbidden') {
    lock(true);
    drawGate(name, detail);
  }
  drawPhase();
}

/** Shows the gate instead of the figures; it stays until the server sends some. */
function lock(on) {
  locked = on;
  byId('gate').hidden = !on;
  byId('content').hidden = on;
  byId('pause').disabled = on;
}

/** What is asked for, or missing, before anything can be shown. */
function drawGate(name, reason) {
  const token = name === 'token';
  setText(byId('gate-title'), token ? 'This server asks for its token' : 'This page is shown to this machine only');
  setText(byId('gate-text'), token
    ? `${tokenGiven ? 'The token was not accepted. ' : ''}It is the content of the file of --token-file. The page keeps it until it is closed or reloaded, and stores it nowhere.`
    : `The server says: ${reason}. To see it from elsewhere, start the server with --token-file FILE, or forward a port: ssh -L 8080:localhost:8080 HOST`);
  byId('gate-form').hidden = !token;
  if (token) byId('token').focus();
}

/** Says whether the figures are current; they lose their colour when they are not. */
function drawPhase() {
  const silence = Date.now() - Math.max(receivedAt, openedAt); // while the page wanted a stream
  const stale = receivedAt !== 0 && !paused && !locked && silence > STALE_MILLIS;
  setClass(document.body, 'stale', stale);
  byId('not-current').hidden = !stale && refusal === '';
  if (!byId('not-current').hidden) {
    const reason = refusal === '' ? 'The server does not answer.' : `The server says: ${refusal}.`;
    setText(byId('not-current'), stale ? `${reason} The figures are those of ${moment(receivedAt)}.` : reason);
    if (!document.hidden) say(byId('not-current').textContent);
  }
  setClass(document.body, 'offline', phase.name !== 'live' && !paused);
  setClass(document.body, 'paused', paused);
  setText(byId('age'), phaseText(silence));
  drawTitle(model.ready && !stale && !locked && !document.hidden);
}

/** Names in the title how many keys are limited, if that is current. */
function drawTitle(current) {
  const limited = current ? model.now.limitedKeys : 0;
  const title = `${current && model.degraded ? '! ' : ''}${limited > 0 ? `(${limited}) ` : ''}Weir`;
  if (document.title !== title) document.title = title;
}

function phaseText(silence) {
  if (paused) return 'paused';
  if (phase.name === 'live') return silence > STALE_MILLIS ? `last ${longDuration(silence / 1000)} ago` : 'live, 1/s';
  if (phase.name === 'lost') {
    const retry = Math.max(0, Math.ceil((phase.detail.retryAt - Date.now()) / 1000));
    const since = receivedAt === 0 ? refusal === '' ? 'not reached' : 'no stream' : `lost ${longDuration(silence / 1000)} ago`;
    return `${since}, next try in ${longDuration(retry)}`;
  }
  return { token: 'token needed', forbidden: 'not permitted', closed: 'closed' }[phase.name] ?? 'connecting';
}

function open() {
  openedAt = Date.now();
  connection.open();
}

/** A paused page has no stream; the one that is opened then begins with a state, so nothing is missed. */
function pause(on) {
  paused = on;
  byId('pause').setAttribute('aria-pressed', on);
  setText(byId('pause'), on ? 'Resume' : 'Pause');
  if (on) connection.close();
  else open();
}

byId('pause').addEventListener('click', () => pause(!paused));

byId('gate-form').addEventListener('submit', event => {
  event.preventDefault();
  const token = byId('token').value.trim();
  tokenGiven = token !== '';
  useToken(token);
  byId('token').value = '';
  open();
});

addEventListener('keydown', event => {
  const typing = event.target.closest?.('input:not([type=checkbox]), select, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing || !byId('shortcuts').checked) return;
  if (event.key === 'p' && !locked) pause(!paused);
  if (event.key === '/' && !byId('sheet').open) {
    event.preventDefault();
    byId('filter').focus();
  }
});

/** A hidden page needs no frames after a minute. */
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) {
    drawPhase();
    hiddenTimer = setTimeout(() => connection.close(), HIDDEN_MILLIS);
  } else if (phase.name === 'closed' && !paused) {
    open();
  } else {
    draw();
  }
});

setInterval(drawPhase, 1_000);
open();

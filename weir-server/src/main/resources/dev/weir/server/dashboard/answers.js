// The four answers: who is limited, how much is denied, whether that is right, and whether the store answers.

import { byId, setClass, setText } from './dom.js';
import { count, limitText, longDuration, milliseconds, rate, share, times, whole } from './format.js';
import { RATE_SECONDS, SECONDS, sum, withoutEffect } from './model.js';

const FEWEST_DENIALS = 10; // a minute; fewer say nothing
const FEW_KEYS = 5;
const CONCENTRATED = 0.8;
const MISSED = 0.01; // of the denials; more could hide who has them
const WELL_ABOVE = 1.5; // times its limit
const SAY_MILLIS = 15_000;

let said = '';
let saidAt = -SAY_MILLIS;

export function drawAnswers(model) {
  const who = limited(model);
  const store = storeAnswer(model);
  put('answer-who', who, model.now.limitedKeys > 0 ? 'hot' : '');
  put('answer-denied', denied(model), model.deniedPerMinute > 0 ? 'hot' : '');
  put('answer-right', right(model));
  put('answer-store', store, model.degraded ? 'bad' : '');
  say(`${who.big} limited. Store: ${store.big}.`);
}

function put(id, answer, tone = '') {
  const cell = byId(id);
  const [big, sub] = cell.querySelectorAll('dd');
  setText(big, answer.big);
  setText(sub, answer.sub);
  setClass(cell, 'hot', tone === 'hot');
  setClass(cell, 'bad', tone === 'bad');
}

/** Announces a text if it changes, at most every 15 s. */
export function say(text) {
  const now = performance.now();
  if (text !== said && now - saidAt >= SAY_MILLIS) {
    said = text;
    saidAt = now;
    setText(byId('say'), text);
  }
}

export function limited(model) {
  const keys = model.now.limitedKeys;
  const others = withoutLimit(model);
  if (keys === 0) {
    const isKnown = deniedByLimits(model) === 0; // the keys cover 55 s of the minute or more
    const nobody = others && isKnown ? `No limit denied a key in the last minute.${others}` : 'No key was denied in the last minute.';
    return { big: 'Nobody', sub: model.busy ? nobody : 'No decision in the last 5 minutes.' };
  }
  const most = mostDenying(enforced(model));
  const known = model.now.activeKeys !== null;
  const here = model.unreachable || !known ? ' on this server' : '';
  const active = known ? `; ${whole(model.now.activeKeys)} active now` : '';
  const by = most?.limit ? `; most by ${most.rule} ${limitText(most.limit)}` : ''; // the row of all others has no limit
  return { big: count(keys, 'key', 'keys'), sub: `${model.server?.shadow ? 'would be ' : ''}denied in the last minute${here}${active}${by}.${others}` };
}

/** Names what denied more requests than all limits: a store that is full or does not answer, or blocks. */
function withoutLimit(model) {
  const all = model.deniedPerMinute;
  const byLimits = deniedByLimits(model);
  const memory = model.storeInfo.kind === 'memory';
  const byStore = memory || ['closed', 'error'].includes(model.storeInfo.failurePolicy) ? Math.min(all, model.byPolicyPerMinute) : 0;
  const causes = [[byStore, memory ? 'the full store' : 'the failure policy'], [all - byStore - byLimits, 'blocks']];
  const named = causes.filter(([denied]) => denied > byLimits).map(([denied, by]) => `${whole(denied)} by ${by}`);
  return named.length > 0 ? ` Denied without a limit: ${named.join(', ')}.` : '';
}

/** The limits that deny requests, not only in shadow. */
const enforced = model => model.inForce.filter(limit => !withoutEffect(limit));

/** The denials of the last minute by limits; a request counts once for each limit that denied it. */
const deniedByLimits = model => sum(enforced(model).map(limit => limit.deniedPerMinute));

function mostDenying(limits) {
  const denying = limits.filter(limit => limit.deniedPerMinute > 0);
  return denying.reduce((most, limit) => (!most || limit.deniedPerMinute > most.deniedPerMinute ? limit : most), null);
}

export function denied(model) {
  const decisions = model.decisionsPerMinute;
  const sub = decisions === 0
    ? 'No decision in the last minute.'
    : `${whole(model.deniedPerMinute)} in the last minute, ${share(model.deniedPerMinute, decisions)} of ${count(decisions, 'decision', 'decisions')}.`;
  const shadow = model.server.shadow ? ` In shadow, limits denied ${whole(deniedByLimits(model))} without effect.` : '';
  return { big: `${rate(model.deniedPerSecond)}/s`, sub: sub + shadow + changed(model) };
}

/** That the configuration was changed within the five minutes that the page shows: often the reason. */
export function changed(model) {
  const loaded = Date.parse(model.configuration.loaded);
  const ago = model.second - loaded / 1000;
  return loaded > Date.parse(model.server.started) && ago < SECONDS ? ` The configuration changed ${longDuration(ago)} ago.` : '';
}

/**
 * The judgement, with its evidence. Denials of few keys that ask many times their limit look like abuse or a broken client;
 * denials spread over many keys, or of keys just above their limit, look like a limit that is too low.
 */
export function right(model) {
  const total = model.server?.shadow ? deniedByLimits(model) : Math.min(deniedByLimits(model), model.deniedPerMinute);
  const keys = byKey(model.now.mostDenied).sort((a, b) => b.deniedPerMinute - a.deniedPerMinute);
  if (total === 0) return { big: 'Nothing to judge', sub: 'Answered when a limit denies something.' };
  if (total < FEWEST_DENIALS) return { big: 'Too few to judge', sub: `${count(total, 'denial', 'denials')} in the last minute.` };
  if (model.missedPerMinute > MISSED * total) {
    return { big: 'Not known', sub: `The lists of keys miss ${whole(model.missedPerMinute)} of ${count(total, 'denial', 'denials')}: too many at once.` };
  }
  if (keys.length === 0) return { big: 'Doubtful: spread', sub: 'So many keys have the denials that none stands out.' };
  const few = fewest(keys, CONCENTRATED * total);
  return few.length <= FEW_KEYS && few.enough ? concentrated(few, total, model.now.limitedKeys) : spread(keys, total);
}

/**
 * One entry for each key of rows, most denied first, with its denials by all rules, what it asks at most, and the limit that denied it most.
 * The limits of a rule deny the same requests as a rule, so the one that denied most counts.
 */
function byKey(rows) {
  const keys = new Map();
  for (const row of rows) {
    const asks = row.asks ?? Infinity; // not known, or the limit denies everything
    const key = keys.get(row.key) ?? { deniedBy: new Map(), asks, limit: row.limit };
    key.deniedBy.set(row.rule, Math.max(key.deniedBy.get(row.rule) ?? 0, row.deniedPerMinute));
    key.asks = Math.max(key.asks, asks);
    keys.set(row.key, key);
  }
  return [...keys.values()].map(key => ({ ...key, deniedPerMinute: sum([...key.deniedBy.values()]) }));
}

/** The fewest keys that have the given number of denials. */
function fewest(keys, needed) {
  const chosen = [];
  let sum = 0;
  for (const key of keys) {
    if (sum >= needed) break;
    chosen.push(key);
    sum += key.deniedPerMinute;
  }
  return { list: chosen, length: chosen.length, sum, enough: sum >= needed };
}

function concentrated(few, total, limitedKeys) {
  const asks = sortedAsks(few.list);
  const known = asks.filter(Number.isFinite);
  const one = few.length === 1;
  // the counts of keys lack up to 5 s of the minute, so those of all keys may be fewer than the total
  const part = few.sum >= total || few.length >= limitedKeys ? 'all' : share(few.sum, total);
  const who = `${count(few.length, 'key has', 'keys have')} ${part} of the denials.`;
  const demand = known.length === 0 ? '' : ` ${one ? 'It asks' : 'They ask'} ${range(known)} ${one ? 'its' : 'their'} limit.`;
  const evidence = who + demand;
  return asks[asks.length - 1] >= WELL_ABOVE
    ? { big: 'Likely: concentrated', sub: evidence }
    : { big: 'Doubtful: near limit', sub: evidence };
}

const sortedAsks = keys => keys.map(key => key.asks).sort((a, b) => a - b);

function range(asks) {
  const least = times(asks[0]);
  const most = times(asks[asks.length - 1]);
  if (least === most) return most;
  return asks.length === 2 ? `${least} and ${most}` : `${least} to ${most}`;
}

function spread(keys, total) {
  const median = sortedAsks(keys)[Math.floor(keys.length / 2)];
  const demand = Number.isFinite(median) ? ` Half of the listed ask up to ${times(median)} the limit.` : '';
  const { limit } = keys[0];
  return {
    big: 'Doubtful: spread',
    sub: `No key has more than ${share(keys[0].deniedPerMinute, total)} of the denials.${demand}${limit ? ` Is ${limitText(limit)} too low?` : ''}`,
  };
}

function memoryAnswer(model) {
  const full = sum(model.byPolicy);
  if (full === 0) return { big: 'Healthy', sub: 'In the memory of this process.' };
  const sub = `It denied ${count(full, 'request', 'requests')} for new keys in 5 minutes. --max-keys is the number of keys that it holds.`;
  return { big: model.degraded ? 'Full' : 'Was full', sub };
}

function storeAnswer(model) {
  const store = model.now.store;
  if (model.storeInfo.kind === 'memory') return memoryAnswer(model);
  if (model.unreachable) {
    return { big: 'Redis unreachable', sub: `${longDuration(store.outageSeconds)}. ${policy(model.storeInfo.failurePolicy)}` };
  }
  const latency = `Redis p99 ${milliseconds(store.p99Micros)}.`;
  if (model.degraded) {
    const part = share(model.shareByPolicy, 1);
    return { big: 'Degraded', sub: `The failure policy (${model.storeInfo.failurePolicy}) made ${part} of the decisions of the last ${RATE_SECONDS} s. ${latency}` };
  }
  const byPolicy = sum(model.byPolicy);
  const local = byPolicy > 0
    ? `${count(byPolicy, 'decision', 'decisions')} by the failure policy in 5 minutes.`
    : 'No decision by the failure policy in 5 minutes.';
  return { big: 'Healthy', sub: `${latency} ${local}` };
}

/** What the failure policy means for the limits. */
function policy(name) {
  if (name.startsWith('local')) {
    const part = name.slice('local'.length).trim();
    return `Deciding locally with ${part} of each limit. With P servers, a window may hold up to N + P × ${part} of N.`;
  }
  if (name === 'open') return 'Everything is allowed, no limit holds.';
  return name === 'closed' ? 'Everything is denied.' : 'Requests are answered with 503.';
}

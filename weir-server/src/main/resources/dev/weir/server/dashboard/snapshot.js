// The answer of GET /v1/keys/KEY in the form in which the sheet draws it: durations in milliseconds from its arrival.

import { limitText } from './format.js';
import { withoutEffect } from './model.js';

const SHORTENED = /…#[0-9a-f]{16}$/;
const DOMAIN = /^(?:[^\\,]|\\.)*,/s; // a backslash precedes a comma within it

/** The path of a listed key, which the server made, with an optional part behind the key and a parameter. */
export function keyPath(entry, part = '', parameter = '') {
  return `/v1/keys/${encodeURIComponent(entry.key)}${part}?${entry.query}${parameter}`;
}

/**
 * The key of a listed one as calls take it. A key above 80 characters is listed by its first ones and a hash, and its state has all of
 * it, behind the domain if it is a descriptor.
 */
function wholeKey(entry, key) {
  if (!SHORTENED.test(entry.key)) return entry.key;
  return entry.query.startsWith('domain=') ? key.replace(DOMAIN, '') : key;
}

export function snapshotOf(entry, state, receivedAt) {
  const time = Date.parse(state.time);
  return {
    receivedAt,
    key: wholeKey(entry, state.key),
    limits: state.limits.map(limit => limitOf(limit, time)),
    matched: state.matched ?? null,
    rules: state.explain.map(ruleOf),
    traced: longestLog(state.limits),
    blockedMillis: state.blockedUntil ? Date.parse(state.blockedUntil) - time : 0,
  };
}

/** The text of the limit whose log trace.csv has: that of the longest window, of those that keep one. */
function longestLog(limits) {
  const logs = limits.filter(limit => limit.timeline);
  return logs.reduce((most, limit) => (limit.timeline.windowMillis > most.timeline.windowMillis ? limit : most), logs[0])?.limit;
}

function limitOf(limit, time) {
  const timeline = limit.timeline ?? null;
  const from = timeline ? Date.parse(timeline.from) - time : 0;
  return {
    text: limit.limit,
    used: limit.used,
    of: limit.of,
    windowMillis: timeline === null ? 0 : timeline.windowMillis,
    exact: !/^(fixed|sliding)-window /.test(limit.limit), // else it counts whole windows or buckets
    attempts: / count=attempts\b/.test(limit.limit), // its log also has what was denied
    truncated: timeline?.truncated ?? false, // the oldest permits are not among the bars
    bars: timeline && bars(timeline.permits, from, timeline.binMillis),
    denied: timeline && bars(timeline.denied, from, timeline.binMillis),
    pending: (limit.pending ?? []).map(run => ({ from: Date.parse(run.at) - time, permits: run.permits })),
    fits: limit.fits.map(fit => ({ permits: fit.permits, afterMillis: fit.afterMillis ?? null })),
    waitMillis: limit.fits.length === 0 ? 0 : limit.fits[0].afterMillis ?? Infinity,
  };
}

/** The bins of a timeline that are not empty. */
function bars(counts, from, millis) {
  return counts.map((permits, i) => ({ from: from + i * millis, millis, permits })).filter(bar => bar.permits > 0);
}

function ruleOf(rule) {
  const shadow = withoutEffect(rule);
  return {
    mark: shadow ? '◦' : '→',
    name: `${rule.rule} ${limitText(rule.limit)}`,
    reason: shadow ? `${rule.reason}, without effect` : rule.reason,
    tone: rule.denies && !shadow ? 'hit' : 'no',
  };
}

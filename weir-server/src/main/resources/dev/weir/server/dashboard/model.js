// What the page knows: the server's state and the last five minutes. The size does not depend on the traffic.

import { policyText } from './format.js';

export const SECONDS = 300;
const BIN_SECONDS = 5;
const MINUTE = 60;
export const RATE_SECONDS = 10;
const DEGRADED = 0.01; // fewer decisions by the failure policy are single pauses

const zeros = length => new Array(length).fill(0);
export const sum = values => values.reduce((total, value) => total + (value ?? 0), 0);
const perMinute = values => sum(values.slice(-MINUTE));

/** Whether a limit or rule denies nothing. One in quota mode does: a request that all of its quotas deny. */
export const withoutEffect = ({ mode }) => mode === 'shadow' || mode === 'candidate';

/** The mean of the latest seconds. */
export const perSecond = values => sum(values.slice(-RATE_SECONDS)) / RATE_SECONDS;

/** The decisions of one limit: five minutes in bins, the last minute in seconds. */
class LimitRow {
  constructor(limit, history) {
    Object.assign(this, limit);
    this.allowedBins = history ? [...history.allowed] : zeros(SECONDS / BIN_SECONDS); // complete ones
    this.deniedBins = history ? [...history.denied] : zeros(SECONDS / BIN_SECONDS);
    this.allowed = spread(this.allowedBins);
    this.denied = spread(this.deniedBins);
    this.keysDenied = limit.keysDenied ?? 0;
    this.cells = null; // of a candidate: both allow, both deny, only the live limit denies, only the candidate denies
    this.version = 0; // changes with the bins
  }

  /** Starts the next second. If the last five complete a bin, adds it. */
  advance(binComplete) {
    if (binComplete) {
      push(this.allowedBins, sum(this.allowed.slice(-BIN_SECONDS)));
      push(this.deniedBins, sum(this.denied.slice(-BIN_SECONDS)));
      this.version++;
    }
    push(this.allowed, 0);
    push(this.denied, 0);
  }

  add(allowed, denied, keysDenied) {
    this.allowed[MINUTE - 1] += allowed;
    this.denied[MINUTE - 1] += denied;
    this.keysDenied = keysDenied;
  }

  get deniedPerMinute() {
    return sum(this.denied);
  }

  get decisionsPerMinute() {
    return sum(this.allowed) + sum(this.denied);
  }

  get used() {
    return this.decisionsPerMinute > 0 || this.allowedBins.some(value => value > 0) || this.deniedBins.some(value => value > 0);
  }

  get deniedPerSecond() {
    return perSecond(this.denied);
  }

  get decisionsPerSecond() {
    return this.deniedPerSecond + perSecond(this.allowed);
  }
}

/** The last minute of bins in whole seconds, as even as integers can be. */
function spread(bins) {
  return bins.slice(-MINUTE / BIN_SECONDS).flatMap(value =>
    zeros(BIN_SECONDS).map((_, i) => Math.floor(value * (i + 1) / BIN_SECONDS) - Math.floor(value * i / BIN_SECONDS)));
}

function push(values, value) {
  values.push(value);
  values.shift();
}

export class Model {
  ready = false;
  limits = [];
  storeReason = ''; // why the store failed last

  /** Takes over a state, which replaces everything. */
  state(state) {
    const history = state.history;
    this.server = state.server;
    this.storeInfo = { ...state.store, failurePolicy: policyText(state.store.failurePolicy ?? '') };
    this.configuration = state.configuration;
    this.second = history.second;
    this.allowed = [...history.allowed];
    this.denied = [...history.denied];
    this.latency = [...history.latencyMicros];
    this.outage = [...history.outage];
    this.timeouts = [...history.timeouts];
    this.byPolicy = [...history.localDecisions];
    this.dropped = [...history.dropped];
    this.limits = state.limits.map(limit => new LimitRow(limit, history.limits[limit.id]));
    this.byId = new Map(this.limits.map(limit => [limit.id, limit]));
    for (const [id, ...cells] of state.candidates ?? []) this.#compare(id, cells);
    this.binSeconds = 0;
  }

  /** Adds a frame. A second without a frame has no decisions; one that the state contains is not added again. */
  frame(frame) {
    const added = frame.second > this.second;
    for (let steps = Math.min(SECONDS, frame.second - this.second); steps > 0; steps--) this.#advance();
    this.second = frame.second;
    this.allowed[SECONDS - 1] = frame.allowed;
    this.denied[SECONDS - 1] = frame.denied;
    this.latency[SECONDS - 1] = frame.store.p99Micros ?? null;
    this.timeouts[SECONDS - 1] = frame.store.timeouts;
    this.byPolicy[SECONDS - 1] = frame.store.localDecisions;
    this.dropped[SECONDS - 1] = frame.dropped;
    this.outage[SECONDS - 1] = frame.store.outageSeconds;
    this.storeReason = frame.store.reason ?? this.storeReason;
    for (const [id, allowed, denied, keysDenied] of frame.limits) {
      this.byId.get(id)?.add(added ? allowed : 0, added ? denied : 0, keysDenied);
    }
    for (const [id, ...cells] of frame.candidates) this.#compare(id, cells);
    for (const key of [...frame.mostDenied, ...frame.fullest]) {
      const { rule, limit } = this.byId.get(key.id) ?? { rule: '', limit: '' };
      Object.assign(key, { rule, limit });
    }
    this.now = frame;
    this.ready = true;
  }

  #compare(id, cells) {
    const candidate = this.byId.get(id);
    if (candidate) candidate.cells = cells;
  }

  #advance() {
    push(this.allowed, 0);
    push(this.denied, 0);
    push(this.latency, null);
    push(this.outage, 0);
    push(this.timeouts, 0);
    push(this.byPolicy, 0);
    push(this.dropped, 0);
    const binComplete = this.binSeconds === BIN_SECONDS;
    this.binSeconds = binComplete ? 1 : this.binSeconds + 1;
    for (const limit of this.limits) limit.advance(binComplete);
  }

  get deniedPerMinute() {
    return perMinute(this.denied);
  }

  get decisionsPerMinute() {
    return this.deniedPerMinute + perMinute(this.allowed);
  }

  get byPolicyPerMinute() {
    return perMinute(this.byPolicy);
  }

  /** The denials that the lists of keys miss. */
  get missedPerMinute() {
    return perMinute(this.dropped);
  }

  get deniedPerSecond() {
    return perSecond(this.denied);
  }

  /** The limits, also in shadow mode, without their candidates. The row of all other limits counts if it has been used. */
  get inForce() {
    return this.limits.filter(limit => limit.of == null && (limit.limit !== '' || limit.used));
  }

  /** Whether there was a decision in the last five minutes. */
  get busy() {
    return this.allowed.some(value => value > 0) || this.denied.some(value => value > 0);
  }

  get unreachable() {
    return this.now.store.outageSeconds > 0;
  }

  /** The share of the decisions of the last seconds that the failure policy made. */
  get shareByPolicy() {
    const decisions = perSecond(this.allowed) + perSecond(this.denied);
    return decisions === 0 ? 0 : Math.min(1, perSecond(this.byPolicy) / decisions);
  }

  get degraded() {
    return this.unreachable || this.shareByPolicy >= DEGRADED;
  }

  /** Milliseconds on the server's clock. */
  get time() {
    return this.second * 1000;
  }
}

// The last five minutes, allowed and denied, and the latency of the store.

import { byId, fill, setPath, setText } from './dom.js';
import { bytes, milliseconds, rate, share, unit, whole } from './format.js';
import { perSecond, SECONDS, sum } from './model.js';
import { area, bands, Scale, standing } from './scale.js';

const CHARTS = [{ id: 'allowed', height: 84, scale: new Scale() }, { id: 'denied', height: 62, scale: new Scale() }];
const LATENCY_HEIGHT = 44;
const OUTAGE_EDGE = 3;
const LAST = SECONDS - 1;
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -30, PageUp: 30, Home: -LAST, End: LAST };

export class Traffic {
  #model = null;
  #read = null; // the second under the pointer or chosen by keys

  constructor() {
    const figure = byId('traffic');
    figure.addEventListener('pointermove', event => {
      const box = byId('allowed-chart').getBoundingClientRect();
      this.#readAt(Math.floor((event.clientX - box.left) / box.width * SECONDS));
    });
    figure.addEventListener('pointerleave', () => this.#readAt(null));
    figure.addEventListener('blur', () => this.#readAt(null));
    figure.addEventListener('keydown', event => this.#key(event));
  }

  draw(model) {
    this.#model = model;
    for (const chart of CHARTS) this.#chart(chart);
    if (document.activeElement !== byId('traffic')) this.#say();
  }

  #chart({ id, height, scale }) {
    const values = this.#model[id];
    const at = this.#read;
    const top = scale.fit(Math.max(...values), this.#model.second);
    const picture = byId(`${id}-chart`);
    setPath(picture, id, area(values, height, top));
    drawOutage(picture, this.#model, height);
    setPath(picture, 'base', `M0 ${height}H${SECONDS}`);
    setPath(picture, 'cursor', at === null ? '' : `M${at + 0.5} 0V${height}`);
    setText(byId(`${id}-now`), rate(perSecond(values)));
    setText(byId(`${id}-scale`), at === null ? scaleText(values, top) : `${ago(at)}: ${whole(values[at])}`);
  }

  /** Says the value. While the chart has the focus, only the reader changes it: a screen reader says each change. */
  #say() {
    const { allowed, denied } = this.#model;
    const shown = this.#read ?? LAST;
    const figure = byId('traffic');
    figure.setAttribute('aria-valuenow', shown - LAST);
    figure.setAttribute('aria-valuetext', `${ago(shown)}: allowed ${whole(allowed[shown])}, denied ${whole(denied[shown])}`);
  }

  #key(event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    this.#readAt((this.#read ?? LAST) + step);
  }

  #readAt(second) {
    this.#read = second === null ? null : Math.max(0, Math.min(LAST, second));
    if (!this.#model) return;
    this.draw(this.#model);
    this.#say();
  }
}

const ago = at => (at === LAST ? 'now' : `−${unit(LAST - at, 's')}`);

/** Shades the time without the store; an edge can be seen where the shade is too light. */
function drawOutage(picture, { outage }, height) {
  setPath(picture, 'outage', bands(outage, height));
  setPath(picture, 'outage-edge', bands(outage, OUTAGE_EDGE));
}

const scaleText = (values, top) => (values.some(value => value > 0) ? `scale to ${whole(top)}` : '');

/** Draws the card of the store. */
export function drawStore(model) {
  const { storeInfo, now } = model;
  const deadline = storeInfo.deadlineMillis;
  const redis = storeInfo.kind === 'redis';
  setText(byId('store-note'), redis ? `Redis${model.unreachable ? ', unreachable' : ''}` : 'in the memory of this process');
  byId('latency').hidden = !redis;
  if (redis) {
    drawLatency(model, deadline * 1000);
    setText(byId('latency-note'), `p99 latency, dashed: the ${unit(deadline, 'ms')} deadline`);
  }
  fill(byId('store-stats'), stats(model, now.store, redis));
  setText(byId('store-reason'), model.degraded && model.storeReason ? `Latest failure: ${model.storeReason}` : '');
}

function drawLatency(model, deadlineMicros) {
  const picture = byId('latency-chart');
  const top = 1.1 * deadlineMicros;
  setPath(picture, 'allowed', standing(model.latency, LATENCY_HEIGHT, top));
  drawOutage(picture, model, LATENCY_HEIGHT);
  const y = (LATENCY_HEIGHT - deadlineMicros / top * (LATENCY_HEIGHT - 2)).toFixed(1);
  setPath(picture, 'deadline', `M0 ${y}H${SECONDS}`);
  setPath(picture, 'base', `M0 ${LATENCY_HEIGHT}H${SECONDS}`);
}

function stats(model, store, redis) {
  const keys = ['keys', store.keys === null ? '–' : whole(store.keys)];
  const memory = ['heap', bytes(store.heapBytes)];
  if (!redis) return [keys, ['room used', share(store.utilization, 1)], memory];
  return [
    ['p99', model.unreachable ? '–' : milliseconds(store.p99Micros)],
    ['failures', whole(sum(model.timeouts))],
    ['circuit', model.unreachable ? 'open' : 'closed'],
    keys,
    memory,
    ['by the policy', `${whole(store.localDecisions)}/s`],
  ];
}

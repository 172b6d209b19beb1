// The log of a key to scale: one drawing with two axes. A run that was admitted at some time is drawn there on the upper axis. It
// frees its permits exactly one window later, which is the same place on the lower axis. So the empty stretch to the left of the
// oldest run is the wait for the next permit. Requests that were denied hang below the line, in the same scale.

import { shape } from './dom.js';
import { duration, wait, whole } from './format.js';
import { sum } from './model.js';

const AXIS_TOP = 34;
const BARS_TOP = 42;
const BASE = 148;
const AXIS_BOTTOM = 192;
const LABEL_BOTTOM = 212;
const TITLE_BOTTOM = 232;
const ROOM_FOR_LABEL = 30; // above the bars
const LOWEST_FULL_HEIGHT = 6; // runs of fewer permits do not fill the height

const percent = ratio => `${(100 * ratio).toFixed(3)}%`;
const text = (x, y, anchor, name, content) => shape('text', { x, y, 'text-anchor': anchor, class: name }, content);
const upright = (x, y1, y2, name) => shape('line', { x1: x, x2: x, y1, y2, class: name });

/** Draws the log of a limit, the given number of milliseconds after its snapshot. */
export function drawLog(picture, limit, elapsed) {
  const windowMillis = limit.windowMillis;
  const ahead = Math.max(0, ...limit.pending.map(run => run.from - elapsed));
  const span = windowMillis + ahead;
  const place = millis => (millis - elapsed + windowMillis) / span; // of a time after the snapshot
  const waitMillis = Math.max(0, limit.waitMillis - elapsed);
  picture.replaceChildren(
    text('0', 12, 'start', 'title', limit.attempts ? 'when it was requested' : 'when it was admitted'),
    text('0', TITLE_BOTTOM, 'start', 'title', 'when its permit is free again'),
    ...waitOf(waitMillis, Math.min(1, waitMillis / span)),
    bars(limit, place),
    shape('line', { x1: '0', x2: '100%', y1: BASE, y2: BASE, class: 'base' }),
    ...axes(windowMillis, span),
  );
  const used = waitMillis > 0
    ? `${limit.of === 1 ? 'The only permit is' : `All ${whole(limit.of)} permits are`} used; the next one is free in ${wait(waitMillis)}`
    : `${whole(limit.used)} of ${whole(limit.of)} permits are used`;
  const denied = sum(limit.denied.map(run => run.permits));
  picture.setAttribute('aria-label', `${used}. ${whole(denied)} denied in the window`);
}

function bars(limit, place) {
  const pending = limit.pending.map(run => ({ ...run, millis: limit.windowMillis / 150 }));
  const unit = Math.min(perUnit([...limit.bars, ...pending], BASE - BARS_TOP - ROOM_FOR_LABEL), perUnit(limit.denied, AXIS_BOTTOM - BASE));
  const box = ({ from, millis, permits }, direction) => {
    const left = Math.max(0, 1000 * place(from));
    const right = 1000 * place(from + millis);
    const width = Math.max(1.5, right - left) * 0.88;
    return right <= 0 ? '' : `M${left.toFixed(2)} ${BASE}v${(direction * Math.max(1.5, permits * unit)).toFixed(1)}h${width.toFixed(2)}V${BASE}z`;
  };
  const path = (name, runs, direction) => shape('path', { class: name, d: runs.map(run => box(run, direction)).join('') });
  return wide(
    path('allowed', limit.bars, -1), path('denied', limit.denied, 1),
    path('pending', pending, -1));
}

/** The height of one permit, so that the highest of the bars has the given height. */
const perUnit = (runs, height) => height / Math.max(LOWEST_FULL_HEIGHT, ...runs.map(run => run.permits));

/** A drawing that is stretched to the width of the picture. */
const wide = (...shapes) => shape('svg', { width: '100%', height: TITLE_BOTTOM, viewBox: `0 0 1000 ${TITLE_BOTTOM}`, preserveAspectRatio: 'none' }, ...shapes);

/** The wait for the next permit, as a stretch of the drawing. */
function waitOf(waitMillis, ratio) {
  if (waitMillis <= 0) return [];
  const x = percent(ratio);
  const right = ratio < 0.4;
  const label = text(x, BARS_TOP + 16, right ? 'start' : 'end', 'wait-label', `frees in ${wait(waitMillis)}`);
  label.setAttribute('dx', right ? 7 : -7);
  return [
    shape('rect', { x: '0', width: x, y: BARS_TOP, height: BASE - BARS_TOP, class: 'wait' }),
    shape('line', { x1: '0', x2: x, y1: BARS_TOP + 24, y2: BARS_TOP + 24, class: 'wait-end' }),
    upright(x, BARS_TOP, AXIS_BOTTOM, 'wait-end'),
    label,
  ];
}

function axes(windowMillis, span) {
  const [unitMillis, name] = scaleOf(windowMillis);
  const length = windowMillis / unitMillis;
  const steps = [4, 3, 5].find(n => length % n === 0) ?? 4;
  const marks = [];
  for (let i = 0; i <= steps; i++) {
    const part = i / steps;
    const x = percent(part * windowMillis / span);
    const anchor = i === 0 ? 'start' : i === steps && span === windowMillis ? 'end' : 'middle';
    const value = number => String(Number(number.toFixed(2)));
    marks.push(
      text(x, 28, anchor, '', i === steps ? 'now' : `−${value(length * (1 - part))}${i === 0 ? ` ${name}` : ''}`),
      text(x, LABEL_BOTTOM, anchor, '', i === 0 ? 'now' : `+${value(length * part)}${i === steps ? ` ${name}` : ''}`),
      upright(x, AXIS_TOP, AXIS_TOP + 5, 'tick'), upright(x, AXIS_BOTTOM, AXIS_BOTTOM + 5, 'tick'));
  }
  return marks;
}

/** The unit in which a window is a small number. */
function scaleOf(millis) {
  if (millis < 2_000) return [1, 'ms'];
  if (millis < 600_000) return [1_000, 's'];
  if (millis < 7_200_000 * 2) return [60_000, 'min'];
  return millis < 86_400_000 * 4 ? [3_600_000, 'h'] : [86_400_000, 'd'];
}

/** Draws when permits become free, for algorithms that keep a level and no log. */
export function drawLevel(picture, limit, elapsed) {
  const points = limit.fits.filter(fit => fit.afterMillis !== null).map(fit => [Math.max(0, fit.afterMillis - elapsed), fit.permits]);
  const full = Math.max(0, ...points.map(([, permits]) => permits)); // the last number is that of a full level
  const span = Math.max(1_000, ...points.map(([after]) => after)) * 1.1;
  const height = permits => BASE - permits / limit.of * (BASE - BARS_TOP - ROOM_FOR_LABEL);
  const free = Math.max(0, limit.of - limit.used);
  const steps = [[0, free], ...points, [span, full]].map(([after, permits]) => `${(1000 * after / span).toFixed(1)} ${height(Math.max(free, permits)).toFixed(1)}`);
  const waitMillis = Math.max(0, limit.waitMillis - elapsed);
  picture.replaceChildren(
    text('0', 12, 'start', 'title', `permits that are free, of ${whole(limit.of)}`),
    ...waitOf(waitMillis, Math.min(1, waitMillis / span)),
    wide(shape('path', { class: 'trend', d: `M${steps.join('L')}` })),
    shape('line', { x1: '0', x2: '100%', y1: BASE, y2: BASE, class: 'base' }),
    text('0', LABEL_BOTTOM, 'start', '', 'now'), text('100%', LABEL_BOTTOM, 'end', '', `+${duration(span / 1000)}`));
  picture.setAttribute('aria-label', `${whole(free)} of ${whole(limit.of)} permits are free`);
}

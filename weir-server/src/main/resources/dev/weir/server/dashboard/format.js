// Numbers, durations and keys as text.

import { element } from './dom.js';

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const NO_BREAK = '\u00a0';

export const whole = value => WHOLE.format(value);

/** A rate: whole from 10, with more digits the smaller it is. */
export function rate(value) {
  if (value === 0) return '0';
  if (value < 0.1) return value.toFixed(2);
  return value < 10 ? value.toFixed(1) : whole(value);
}

/** The share of a part in a total, from 0 to 1, as a percentage; a dash if the total is 0. */
export function share(part, total) {
  if (total === 0) return '–';
  const ratio = part / total;
  if (part > 0 && ratio < 0.001) return `<0.1${NO_BREAK}%`;
  if (part < total && ratio > 0.999) return `>99.9${NO_BREAK}%`;
  return `${ratio === 0 || ratio === 1 ? 100 * ratio : (100 * ratio).toFixed(1)}${NO_BREAK}%`;
}

/** The text of a limit, as configurations have it: without the name of the algorithm that is the default. */
export const limitText = text => text.replace(/^sliding-log (?=\d+\/)/, '');

/** A failure policy in words: local(0.25) is local 25 %. */
export const policyText = text => text.replace(/^local\((.+)\)$/, (_, part) => `local ${unit(whole(100 * part), '%')}`);

/** How many times its limit a key asks for; a dash for a limit that denies everything. */
export const times = value => (Number.isFinite(value) ? `${value.toFixed(1)}×` : '–');

/** Joins a number and a unit that must stay on one line. */
export const unit = (value, name) => `${value}${NO_BREAK}${name}`;

export const count = (value, one, many) => `${whole(value)} ${value === 1 ? one : many}`;

/** A duration, in two units at most: 37.8 s, 4 min 12 s, 8 h 2 min, 6 d 4 h. */
export function duration(seconds) {
  const rounded = Number(seconds.toFixed(1));
  return rounded < 60 ? unit(rounded.toFixed(1), 's') : longDuration(rounded);
}

/** The same in whole seconds. */
export function longDuration(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return unit(s, 's');
  if (s < 3600) return two(s, 60, 'min', 1, 's');
  if (s < 86400) return two(s, 3600, 'h', 60, 'min');
  return two(s, 86400, 'd', 3600, 'h');
}

function two(seconds, large, largeName, small, smallName) {
  const rest = Math.floor((seconds % large) / small);
  const first = unit(Math.floor(seconds / large), largeName);
  return rest === 0 ? first : `${first} ${unit(rest, smallName)}`;
}

/** A duration in milliseconds if it is not one of whole seconds, so that none is shown as 0 s. */
export const exactDuration = millis => (millis % 1000 === 0 ? longDuration(millis / 1000) : unit(whole(millis), 'ms'));

/** A wait until a permit is free, rounded up to a tenth of a second, from a minute on to a second: none is shown as 0.0 s. */
export function wait(millis) {
  if (millis <= 0) return 'now';
  return millis > 59_900 ? longWait(millis) : unit((Math.ceil(millis / 100) / 10).toFixed(1), 's');
}

/** A wait in whole seconds, rounded up. */
export const longWait = millis => longDuration(Math.ceil(millis / 1000));

/** Microseconds, in milliseconds; a dash if there is no value. */
export function milliseconds(micros) {
  if (micros == null) return '–';
  const millis = micros / 1000;
  return unit(millis < 10 ? millis.toFixed(millis < 0.1 ? 2 : 1) : whole(millis), 'ms');
}

export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = value;
  let i = 0;
  while (size >= 1024 && i < units.length - 1) {
    size /= 1024;
    i++;
  }
  return unit(i === 0 ? whole(size) : size.toFixed(1), units[i]);
}

/** The local day and time of an instant: a page can be open for days, so that "today" would become wrong. */
export function moment(instant) {
  const time = new Date(instant);
  return `${time.toLocaleDateString('en-CA')} ${time.toLocaleTimeString('en-GB')}`;
}

// Characters that hide, reorder or break text: controls, bidirectional and line separators, halves of surrogate pairs, and those
// that are shown as nothing ("default ignorable": zero-width, tags, variation selectors). And spaces that are not seen, at an end or after another one, or that look
// like another one.
const HIDDEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\u2800]|^ | $|(?<= ) |(?! )\p{Zs})/u;

const codePoint = character => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The parts of a text, by turns: what is shown as it is, and a character that would be hidden, as its code. */
const parts = text => text.split(HIDDEN).map((part, i) => (i % 2 === 0 ? { shown: part } : { hidden: codePoint(part) }));

/** A key as plain text, for attributes, with hidden characters as code points. */
export const plainKey = key => parts(key).map(part => part.shown ?? `(${part.hidden})`).join('');

/** A key as an isolated element: a foreign text, of which nothing is interpreted and in which nothing is hidden. */
export function keyElement(key) {
  const made = element('bdi', { class: 'key' });
  for (const { shown, hidden } of parts(key)) made.append(shown ?? element('span', { class: 'hidden-character' }, hidden));
  return made;
}

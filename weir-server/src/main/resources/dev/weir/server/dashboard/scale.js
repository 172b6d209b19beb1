// Shapes of the charts: bars and lines of at most 300 points, in the coordinates of their view box.

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const HOLD_SECONDS = 30;

/** The next round number from a value upwards. */
function round(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return STEPS.map(step => step * power).find(step => step >= value) ?? value;
}

/** A scale that grows at once, and shrinks only after 30 s, so that the picture does not pump. */
export class Scale {
  #top = 1;
  #neededAt = 0;

  /** The upper end of the scale for a largest value at a time in seconds. */
  fit(largest, second) {
    const wanted = round(largest);
    if (wanted >= this.#top || second - this.#neededAt > HOLD_SECONDS) {
      this.#top = wanted;
      this.#neededAt = second;
    } else if (largest > this.#top / 2) {
      this.#neededAt = second;
    }
    return this.#top;
  }
}

/** An area of steps, one per value and unit of x. */
export function area(values, height, top) {
  const steps = values.map((value, x) => `V${(height - value / top * (height - 2)).toFixed(1)}H${x + 1}`);
  return `M0 ${height}${steps.join('')}V${height}Z`;
}

/** A line of steps between two heights, one per value above 0 and unit of x. */
export function line(values, bottom, top, largest) {
  const height = value => (bottom - value / largest * (bottom - top)).toFixed(1);
  const step = (value, x) => `${values[x - 1] > 0 ? 'V' : `M${x} `}${height(value)}H${x + 1}`;
  return values.map((value, x) => (value > 0 ? step(value, x) : '')).join('');
}

/** Bars that hang from y, one per value above 0 and unit of x. */
export function hanging(values, y, longest, largest) {
  const bar = (value, x) => `M${x + 0.1} ${y}v${Math.max(1.2, value / largest * longest).toFixed(1)}h.8V${y}z`;
  return values.map((value, x) => (value > 0 ? bar(value, x) : '')).join('');
}

/** Bars that stand on the given height, one per value that is there and unit of x, clipped at the top. */
export function standing(values, height, top) {
  const bar = (value, x) => `M${x} ${height}v${(-Math.max(0.5, Math.min(1, value / top) * (height - 2))).toFixed(1)}h1V${height}z`;
  return values.map((value, x) => (value == null ? '' : bar(value, x))).join('');
}

/** Full-height bands where the value is not 0. */
export function bands(values, height) {
  let path = '';
  for (let x = 0; x < values.length; x++) {
    if (!values[x]) continue;
    const start = x;
    while (x < values.length && values[x]) x++;
    path += `M${start} 0V${height}H${x}V0z`;
  }
  return path;
}

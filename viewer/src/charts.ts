// Small charts: of the run under the time line (energy, its balance, dissipation by kind, penetration, iterations, solver error), and of the
// selected body (displacement, speed). They share the time axis and show where the clock stands; a click goes there. Many frames: the lowest and the highest of each column of pixels.
import { format, LOOKS, ticks, type Theme } from './colours';
import { DISSIPATION, WORK } from './fields';
import type { Series, SeriesName, Track } from './types';

interface Timed {
  time: Float64Array;
}

interface Line<S> {
  label: string;
  colour: Record<Theme, string>;
  values: (s: S) => Float64Array;
}

interface ChartDef<S> {
  title: string;
  unit: string;
  log?: boolean;
  lines: Line<S>[];
  /** Frames to mark: their step missed its tolerance. */
  marks?: (s: S) => number[];
}

const map = (s: Series, f: (k: number) => number): Float64Array => Float64Array.from({ length: s.time.length }, (_, k) => f(k));

const sum = (s: Series, names: readonly SeriesName[], k: number): number => names.reduce((all, name) => all + s[name][k], 0);

const BLUE = { light: '#2b6cb0', dark: '#7ab8f5' };
const ORANGE = { light: '#c05621', dark: '#f6a46c' };
const INK = { light: '#1c2530', dark: '#e8ebef' };

const GREEN = { light: '#2f855a', dark: '#7bd3a4' };

export const RUN_CHARTS: ChartDef<Series>[] = [
  {
    title: 'Energy',
    unit: 'J',
    lines: [
      { label: 'kinetic', colour: BLUE, values: (s) => s.kinetic },
      { label: 'Δ potential', colour: ORANGE, values: (s) => map(s, (k) => s.potential[k] - s.potential[0]) },
      {
        label: 'Δ sum',
        colour: INK,
        values: (s) => map(s, (k) => s.kinetic[k] + s.potential[k] - s.kinetic[0] - s.potential[0]),
      },
    ],
  },
  {
    // Since the start: Δ sum = work - dissipation + discretization.
    title: 'Balance',
    unit: 'J',
    lines: [
      { label: 'work', colour: BLUE, values: (s) => map(s, (k) => sum(s, WORK, k)) },
      { label: '−dissipation', colour: ORANGE, values: (s) => map(s, (k) => -sum(s, DISSIPATION, k)) },
      { label: 'discretization', colour: INK, values: (s) => s.discretization },
    ],
  },
  {
    title: 'Dissipation',
    unit: 'J',
    lines: DISSIPATION.map((name, k) => ({
      label: name,
      colour: [BLUE, ORANGE, GREEN, INK][k % 4],
      values: (s: Series) => s[name],
    })),
  },
  { title: 'Penetration', unit: 'm', lines: [{ label: '', colour: BLUE, values: (s) => s.penetration }] },
  { title: 'Iterations', unit: '', lines: [{ label: '', colour: BLUE, values: (s) => s.iterations }] },
  {
    title: 'Solver error',
    unit: '',
    log: true,
    marks: (s) => [...s.status.keys()].filter((k) => s.status[k] !== 0),
    lines: [
      {
        label: '',
        colour: BLUE,
        // Root of the energy error over its scale: what the tolerance of a step limits.
        values: (s) =>
          map(s, (k) => (s.energy_scale[k] > 0 ? Math.sqrt(Math.max(s.energy_error[k], 0) / s.energy_scale[k]) : NaN)),
      },
    ],
  },
];

const moved = (t: Track, axis: number): Float64Array =>
  Float64Array.from({ length: t.time.length }, (_, k) => t.position[3 * k + axis] - t.position[axis]);

export const BODY_CHARTS: ChartDef<Track>[] = [
  {
    title: 'Displacement',
    unit: 'm',
    lines: [
      { label: 'x', colour: BLUE, values: (t) => moved(t, 0) },
      { label: 'y', colour: ORANGE, values: (t) => moved(t, 1) },
      { label: 'z', colour: GREEN, values: (t) => moved(t, 2) },
    ],
  },
  {
    title: 'Speed',
    unit: 'm/s',
    lines: [
      {
        label: '',
        colour: BLUE,
        values: (t) =>
          Float64Array.from({ length: t.time.length }, (_, k) => Math.hypot(...t.velocity.subarray(3 * k, 3 * k + 3))),
      },
    ],
  },
];

const LEFT = 50;
const BOTTOM = 15;
const TOP = 7;
const RIGHT = 6;

class Chart<S extends Timed> {
  readonly figure = document.createElement('figure');
  private readonly canvas = document.createElement('canvas');
  private readonly now = document.createElement('div');
  private readonly plot = document.createElement('div');
  private readonly readout = document.createElement('output');
  private readonly keys = document.createElement('span');
  private data: Float64Array[] = [];
  private times: Float64Array = new Float64Array(0);
  private failed: number[] = []; // frames to mark

  constructor(
    private readonly def: ChartDef<S>,
    onSeek: (time: number) => void,
  ) {
    const caption = document.createElement('figcaption');
    const title = document.createElement('span');
    title.textContent = def.unit ? `${def.title} / ${def.unit}` : def.title;
    this.keys.className = 'keys';
    caption.append(title, this.keys, this.readout);
    this.plot.className = 'plot';
    this.now.className = 'now';
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `${def.title} over time`);
    this.plot.append(this.canvas, this.now);
    this.figure.append(caption, this.plot);
    const seek = (event: PointerEvent): void => {
      const { left, width } = this.plot.getBoundingClientRect();
      const s = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
      const last = this.times.length - 1;
      onSeek(this.times[0] + Math.min(Math.max(s, 0), 1) * (this.times[last] - this.times[0]));
    };
    this.plot.addEventListener('pointerdown', (event) => {
      this.plot.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.plot.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) seek(event);
    });
  }

  load(series: S): void {
    this.times = series.time;
    this.data = this.def.lines.map((line) => line.values(series));
    this.failed = this.def.marks?.(series) ?? [];
  }

  private range(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const values of this.data)
      for (const v of values) {
        if (!Number.isFinite(v) || (this.def.log && v <= 0)) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    if (low > high) return this.def.log ? [1e-10, 1] : [0, 1];
    if (this.def.log) return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 0.1)];
    low = Math.min(low, 0);
    return high > low ? [low, high + 0.05 * (high - low)] : [low, low];
  }

  draw(theme: Theme): void {
    const { width, height } = this.plot.getBoundingClientRect();
    if (width < 10 || this.times.length === 0) return;
    const ratio = Math.min(window.devicePixelRatio, 3);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const c = this.canvas.getContext('2d')!;
    c.scale(ratio, ratio);
    const [low, high] = this.range();
    const y = (v: number): number => {
      const s = this.def.log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low || 1);
      return height - BOTTOM - s * (height - BOTTOM - TOP);
    };
    this.drawAxes(c, theme, width, low, high, y);
    this.def.lines.forEach((line, k) => {
      c.strokeStyle = line.colour[theme];
      c.lineWidth = 1.4;
      this.drawLine(c, this.data[k], width, y);
    });
    c.fillStyle = theme === 'light' ? '#b3261e' : '#ff8a80';
    for (const k of this.failed) c.fillRect(this.x(this.times[k], width) - 1, TOP, 2, 5);
    this.drawKeys(theme);
  }

  private x(time: number, width: number): number {
    const first = this.times[0];
    const last = this.times[this.times.length - 1];
    return LEFT + (last > first ? (time - first) / (last - first) : 0) * (width - LEFT - RIGHT);
  }

  private drawAxes(
    c: CanvasRenderingContext2D,
    theme: Theme,
    width: number,
    low: number,
    high: number,
    y: (v: number) => number,
  ): void {
    const look = LOOKS[theme];
    c.font = '10.5px system-ui, "DejaVu Sans", sans-serif';
    c.fillStyle = look.faint;
    c.strokeStyle = theme === 'light' ? '#e1e5ea' : '#2b333d';
    c.lineWidth = 1;
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (const v of this.def.log ? decades(low, high) : ticks(low, high, 3)) {
      const h = Math.round(y(v)) + 0.5;
      c.beginPath();
      c.moveTo(LEFT, h);
      c.lineTo(width - RIGHT, h);
      c.stroke();
      c.fillText(this.def.log ? format(v, 1).replace('1·', '') : format(v), LEFT - 5, Math.min(h, y(low) - 3));
    }
    c.textBaseline = 'alphabetic';
    const last = this.times[this.times.length - 1];
    const marks = ticks(this.times[0], last, 4);
    marks.forEach((t) => {
      const at = this.x(t, width);
      c.textAlign = at > width - 22 ? 'right' : 'center';
      c.fillText(`${format(t)}${t === marks[marks.length - 1] ? ' s' : ''}`, Math.min(at, width - RIGHT), y(low) + 13);
    });
  }

  private drawLine(c: CanvasRenderingContext2D, values: Float64Array, width: number, y: (v: number) => number): void {
    c.beginPath();
    let column = -1;
    let drawn = false;
    let [least, most] = [0, 0];
    const flush = (): void => {
      if (column < 0) return;
      if (drawn) c.lineTo(column, y(least));
      else c.moveTo(column, y(least));
      if (most !== least) c.lineTo(column, y(most));
      drawn = true;
    };
    for (let k = 0; k < values.length; k++) {
      const v = values[k];
      if (!Number.isFinite(v) || (this.def.log && v <= 0)) continue;
      const at = Math.round(this.x(this.times[k], width) * 2) / 2;
      if (at === column) [least, most] = [Math.min(least, v), Math.max(most, v)];
      else {
        flush();
        column = at;
        least = most = v;
      }
    }
    flush();
    c.stroke();
  }

  private drawKeys(theme: Theme): void {
    const { lines } = this.def;
    if (lines.length < 2) return;
    this.keys.replaceChildren(
      ...lines.map(({ label, colour }) => {
        const key = document.createElement('span');
        const mark = document.createElement('i');
        mark.style.background = colour[theme];
        key.append(mark, label);
        return key;
      }),
    );
  }

  /** Where the clock stands; the number of the last time until then. */
  show(time: number): void {
    const width = this.plot.clientWidth;
    this.now.style.left = `${this.x(time, width)}px`;
    if (this.def.lines.length > 1) return;
    let index = 0;
    for (let end = this.times.length; end - index > 1; ) {
      const middle = (index + end) >> 1;
      if (this.times[middle] <= time) index = middle;
      else end = middle;
    }
    this.readout.textContent = format(this.data[0]?.[index] ?? NaN);
  }
}

function decades(low: number, high: number): number[] {
  const [a, b] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const step = Math.max(1, Math.ceil((b - a) / 3));
  const found: number[] = [];
  for (let k = a; k <= b; k += step) found.push(10 ** k);
  return found;
}

export class Charts<S extends Timed> {
  private readonly charts: Chart<S>[];
  theme: Theme = 'light';

  constructor(parent: HTMLElement, defs: ChartDef<S>[], onSeek: (time: number) => void) {
    this.charts = defs.map((def) => new Chart(def, onSeek));
    parent.append(...this.charts.map((c) => c.figure));
    new ResizeObserver(() => this.draw()).observe(parent);
  }

  load(series: S): void {
    for (const chart of this.charts) chart.load(series);
    this.draw();
  }

  draw(): void {
    for (const chart of this.charts) chart.draw(this.theme);
  }

  show(time: number): void {
    for (const chart of this.charts) chart.show(time);
  }
}

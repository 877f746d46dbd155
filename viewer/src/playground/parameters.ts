// Ranges of the sliders. The library knows names and defaults of a scene's parameters, and says what is wrong with a value.

const COUNTS = new Set(['count', 'rows', 'columns', 'stones', 'levels', 'links', 'planks', 'balls', 'cells', 'nodes', 'blocks']);
const UNITS: Record<string, string> = {
  mu: '',
  restitution: '',
  poisson: '',
  ratio: '',
  density: 'kg/m³',
  young: 'Pa',
  angle: 'rad',
  lean: 'rad',
  force: 'N',
  mass: 'kg',
  light: 'kg',
  heavy: 'kg',
};
const SPINNING = new Set(['spin']);
const SPEEDS: Record<string, string> = { 'four-bar': 'rad/s', 'slider-crank': 'rad/s' };
const FIXED: Record<string, [number, number]> = { mu: [0, 1.5], restitution: [0, 1], poisson: [0, 0.45], angle: [0, 1.4], lean: [0.05, 0.7] };
const LABELS: Record<string, string> = { mu: 'friction μ', young: "Young's modulus", poisson: "Poisson's ratio" };

export interface Range {
  label: string;
  unit: string;
  min: number;
  max: number;
  step: number;
}

export function rangeOf(scene: string, name: string, value: number): Range {
  const label = LABELS[name] ?? name;
  if (COUNTS.has(name)) {
    const odd = name === 'stones' ? 2 : 1; // an arch with a keystone
    return { label, unit: '', min: name === 'stones' ? 3 : 1, max: Math.max(Math.round(2.5 * value), value + 4), step: odd };
  }
  const unit = SPINNING.has(name) ? 'rad/s' : name === 'speed' ? (SPEEDS[scene] ?? 'm/s') : (UNITS[name] ?? 'm');
  const [min, max] = FIXED[name] ?? [value / 5, 3 * value];
  const step = 10 ** Math.floor(Math.log10((max - min) / 50));
  return { label, unit, min: toMultiple(min, step, Math.ceil), max: toMultiple(max, step, Math.floor), step };
}

function toMultiple(value: number, step: number, to: (x: number) => number): number {
  return Number((to(value / step - (to === Math.ceil ? 1e-9 : -1e-9)) * step).toPrecision(12));
}

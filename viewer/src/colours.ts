// Colour maps, scales and the palette. Maps are anchors in sRGB with even steps of lightness; values between are mixed in
// linear light. Colours handed to three.js are linear.
import * as THREE from 'three';

export type Theme = 'light' | 'dark';

/** Viridis without its darkest fifth, where shading could not be seen. */
const VIRIDIS = ['#4a4b9a', '#3d6fa8', '#3191a8', '#2fae96', '#5cc76f', '#a8db45', '#fde53a'];
const FORCE_LIGHT = ['#e8c468', '#e8a33d', '#e07a3f', '#c8333f', '#8c1c4a', '#4a0f3f'];
const FORCE_DARK = ['#3d3a5c', '#6a4c93', '#b5478a', '#f0626a', '#fca45b', '#fff1a8'];
/** Strength of bonds: broken, weakened, as new. */
const BOND = ['#b3121d', '#e0762f', '#e8b93f', '#a9b89a', '#6f9fc0'];

/** Eight hues that stay apart for the colour-blind as far as eight can. */
const PALETTE = ['#7e9cc0', '#d9a46c', '#86b29b', '#c78a8a', '#a996c4', '#c9bd78', '#79b3bb', '#b59a86'];

export class ColourMap {
  private readonly anchors: THREE.Color[];

  constructor(css: string[]) {
    this.anchors = css.map((c) => new THREE.Color(c));
  }

  /** Colour at x in [0, 1], linear. */
  at(x: number, out: THREE.Color): THREE.Color {
    const last = this.anchors.length - 1;
    const s = Math.min(Math.max(Number.isFinite(x) ? x : 0, 0), 1) * last;
    const k = Math.min(Math.floor(s), last - 1);
    return out.copy(this.anchors[k]).lerp(this.anchors[k + 1], s - k);
  }

  cssAt(x: number): string {
    return `#${this.at(x, new THREE.Color()).getHexString()}`;
  }
}

export const viridis = new ColourMap(VIRIDIS);
export const bondMap = new ColourMap(BOND);
const force = { light: new ColourMap(FORCE_LIGHT), dark: new ColourMap(FORCE_DARK) };

export function forceMap(theme: Theme): ColourMap {
  return force[theme];
}

const palette = PALETTE.map((c) => new THREE.Color(c));

export function category(k: number): THREE.Color {
  return palette[((k % palette.length) + palette.length) % palette.length];
}

export interface Look {
  background: string;
  ink: string;
  faint: string;
  accent: string;
  edge: THREE.Color;
  still: THREE.Color; // bodies that do not move
  grid: THREE.Color;
  gridStrength: number;
  shadow: number;
  floor: THREE.Color;
  floorStrength: number;
}

export const LOOKS: Record<Theme, Look> = {
  light: {
    background: '#f4f5f7',
    ink: '#1c2530',
    faint: '#56616e',
    accent: '#0b62b5',
    edge: new THREE.Color('#1c2530'),
    still: new THREE.Color('#b9bec6'),
    grid: new THREE.Color('#5b6674'),
    gridStrength: 0.42,
    shadow: 0.22,
    floor: new THREE.Color('#ffffff'),
    floorStrength: 0.75,
  },
  dark: {
    background: '#14181e',
    ink: '#e8ebef',
    faint: '#9aa5b2',
    accent: '#6db3f8',
    edge: new THREE.Color('#05070a'),
    still: new THREE.Color('#5f6874'),
    grid: new THREE.Color('#8c98a8'),
    gridStrength: 0.3,
    shadow: 0.5,
    floor: new THREE.Color('#2c3541'),
    floorStrength: 0.55,
  },
};

/** Ticks at round numbers between low and high, about `count`. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const steps = [1, 2, 5, 10].map((m) => m * power);
  const wanted = steps.findIndex((step) => step >= raw);
  const multiples = (step: number): number[] => {
    const found: number[] = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
    return found;
  };
  // One number alone gives no scale: the next smaller step.
  const found = multiples(steps[wanted]);
  return found.length > 1 ? found : multiples(steps[wanted - 1] ?? power / 2);
}

/** Pressures are seldom of the size of a pascal: unit for a scale that ends at `most`, and how much it is. */
export function prefixed(unit: string, most: number): { unit: string; of: number } {
  const power = unit === 'Pa' && most >= 1000 ? Math.min(Math.floor(Math.log10(most) / 3), 3) : 0;
  return { unit: ['', 'k', 'M', 'G'][power] + unit, of: 1000 ** power };
}

/** A number as a person reads it: 3 digits, powers of ten only when far from one. */
export function format(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) {
    const [m, e] = x.toExponential(digits - 1).split('e');
    const mantissa = m.includes('.') ? m.replace(/\.?0+$/, '') : m;
    return `${mantissa}·10${superscript(Number(e))}`.replace('-', '−');
  }
  return String(Number(x.toPrecision(digits))).replace('-', '−');
}

function superscript(n: number): string {
  return String(n).replace(/[-\d]/g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]));
}

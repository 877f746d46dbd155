// What a hand does to a simulation, as data: an action can be applied, put into a link, and applied again at the same step, with
// the same bits. Numbers are therefore rounded to the digits of the link before they are applied.

type Three = [number, number, number];

/** Rows of bodies are those of the page: they do not change when a body is removed. */
export type Action =
  | { kind: 'gravity'; value: Three } // m/s²
  | { kind: 'pull'; body: number; point: Three; target: Three; frequency: number } // body axes; world; Hz
  | { kind: 'release' }
  | { kind: 'throw'; radius: number; density: number; position: Three; velocity: Three }
  | { kind: 'remove'; body: number };

/** An action before the step that follows `at` steps. */
export interface Timed {
  at: number;
  action: Action;
}

const LETTER = { gravity: 'g', pull: 'p', release: 'r', throw: 't', remove: 'x' } as const;
const NUMBERS = { g: 3, p: 8, r: 0, t: 8, x: 1 } as const;

function toNumbers(action: Action): number[] {
  switch (action.kind) {
    case 'gravity':
      return action.value;
    case 'pull':
      return [action.body, ...action.point, ...action.target, action.frequency];
    case 'release':
      return [];
    case 'throw':
      return [action.radius, action.density, ...action.position, ...action.velocity];
    case 'remove':
      return [action.body];
  }
}

function fromNumbers(letter: string, n: number[]): Action | null {
  const three = (from: number): Three => [n[from], n[from + 1], n[from + 2]];
  if (!(letter in NUMBERS) || n.length !== NUMBERS[letter as keyof typeof NUMBERS] || !n.every(Number.isFinite)) return null;
  switch (letter) {
    case 'g':
      return { kind: 'gravity', value: three(0) };
    case 'p':
      return { kind: 'pull', body: n[0], point: three(1), target: three(4), frequency: n[7] };
    case 'r':
      return { kind: 'release' };
    case 't':
      return { kind: 'throw', radius: n[0], density: n[1], position: three(2), velocity: three(5) };
    default:
      return { kind: 'remove', body: n[0] };
  }
}

const short = (x: number): number => Number(x.toPrecision(5));

/** The same action with five digits. */
export function rounded(action: Action): Action {
  return fromNumbers(LETTER[action.kind], toNumbers(action).map(short)) ?? action;
}

/** `120g0,1.2,-9.7;240x5` */
export function toText(actions: readonly Timed[]): string {
  return actions.map(({ at, action }) => `${at}${LETTER[action.kind]}${toNumbers(action).map(short).join(',')}`).join(';');
}

export function fromText(text: string): Timed[] {
  return text
    .split(';')
    .filter((word) => word)
    .map((word) => {
      const [, at, letter, rest] = /^(\d+)([a-z])(.*)$/.exec(word) ?? [];
      const action = letter && fromNumbers(letter, rest ? rest.split(',').map(Number) : []);
      if (!action) throw new Error(`The link is damaged: there is no action “${word}”.`);
      return { at: Number(at), action };
    })
    .sort((a, b) => a.at - b.at);
}

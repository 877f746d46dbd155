// Actions and links: what is written is read again, exactly.
import { expect, test } from 'vitest';
import { fromText, rounded, toText, type Timed } from '../../src/playground/actions';
import { DEFAULT_BUDGET, readState, SCENE_MOST, writeState } from '../../src/playground/link';
import { rangeOf } from '../../src/playground/parameters';

const ACTIONS: Timed[] = [
  { at: 12, action: { kind: 'gravity', value: [0, 1.23456789, -9.7] } },
  { at: 30, action: { kind: 'pull', body: 5, point: [0.1, -1e-9, 1 / 3], target: [1, 2, 3], frequency: 3 } },
  { at: 44, action: { kind: 'release' } },
  { at: 44, action: { kind: 'throw', radius: 0.1, density: 7800, position: [1, -2, 0.5], velocity: [0, 12.345678, -1] } },
  { at: 240, action: { kind: 'remove', body: 3 } },
].map(({ at, action }) => ({ at, action: rounded(action as Timed['action']) }));

const address = (text: string): URL => new URL(text, 'http://host/playground.html');

test('actions survive their text, with all bits', () => {
  expect(fromText(toText(ACTIONS))).toEqual(ACTIONS);
  expect(toText(ACTIONS)).toContain('44r;');
});

test('a damaged link says so', () => {
  expect(() => fromText('12g1,2')).toThrow(/12g1,2/);
  expect(() => fromText('x')).toThrow(/damaged/);
});

test('a state survives its link', async () => {
  const state = {
    setup: { scene: 'stone-bridge', text: null, parameters: { mu: 0.55, stones: 17 }, budget: 0.016 },
    actions: ACTIONS,
    step: 300,
    hash: '0123456789abcdef',
  };
  const link = await writeState(state);
  expect(await readState(address(link))).toEqual(state);
  // Messengers escape signs of their own accord.
  expect(await readState(address(link.replaceAll(',', '%2C').replaceAll(';', '%3B')))).toEqual(state);
});

test('a link that expands without end is refused', async () => {
  const state = { setup: { scene: '', text: ' '.repeat(SCENE_MOST + 1), parameters: {}, budget: 0 }, actions: [], step: 0, hash: '' };
  const link = await writeState(state);
  expect(link.length).toBeLessThan(10_000);
  await expect(readState(address(link))).rejects.toThrow(/larger than 4 MB/);
  const fits = await writeState({ ...state, setup: { ...state.setup, text: ' '.repeat(SCENE_MOST) } });
  expect((await readState(address(fits))).setup.text).toHaveLength(SCENE_MOST);
});

test('a pasted scene travels in the link', async () => {
  const text = JSON.stringify({ voussoir: 1, name: 'Bogen Größe µ', bodies: Array.from({ length: 50 }, (_, k) => ({ name: `b${k}` })) });
  const setup = { scene: '', text, parameters: {}, budget: DEFAULT_BUDGET };
  const link = await writeState({ setup, actions: [], step: 0, hash: '' });
  expect(link.length).toBeLessThan(text.length);
  expect((await readState(address(link))).setup).toEqual(setup);
  await expect(readState(address('#json=!!!'))).rejects.toThrow(/damaged/);
});

test('a short address: scene and parameters', async () => {
  const { setup, step } = await readState(address('?scene=domino&set=count:30&theme=dark'));
  expect(setup).toEqual({ scene: 'domino', text: null, parameters: { count: 30 }, budget: DEFAULT_BUDGET });
  expect(step).toBe(0);
  expect((await readState(address(''))).setup.scene).toBe('arch');
  await expect(readState(address('?set=mu'))).rejects.toThrow(/set=stones:17/);
});

test('sliders reach the default exactly and do not leave what makes sense', () => {
  for (const [scene, name, value] of [
    ['arch', 'stones', 11],
    ['arch', 'mu', 0.7],
    ['domino', 'spacing', 0.022],
    ['three-point-bending', 'young', 1e7],
    ['hopper', 'opening', 0.12],
  ] as const) {
    const { min, max, step } = rangeOf(scene, name, value);
    expect(min).toBeLessThan(value);
    expect(max).toBeGreaterThan(value);
    const steps = (value - min) / step;
    expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-6);
  }
});

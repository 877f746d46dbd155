// Runs the simulation in a worker, in step with the wall clock as far as the computer is fast enough, and sends frames as fast as
// the page draws them: not more than two wait.
import create, { type Wasm } from 'voussoir-live/voussoir.mjs';
import type { Frame, SeriesName, Constants } from '../types';
import type { Action, Timed } from './actions';
import { listScenes, Simulation, type SceneInfo, type Setup } from './simulation';

export type Request =
  | { kind: 'start'; module: ArrayBuffer }
  | { kind: 'load'; generation: number; setup: Setup; actions: Timed[]; until: number }
  | { kind: 'run'; speed: number }
  | { kind: 'pause' }
  | { kind: 'step'; count: number }
  | { kind: 'act'; action: Action }
  | { kind: 'drawn' };

/** The certificate of the run so far. */
export interface Certificate {
  steps: number;
  status: number; // of the last step
  energyError: number; // J, of the last step
  worst: number; // J, largest so far
  worstAt: number; // step
  missed: number; // steps that missed the tolerance
  late: number; // steps that the time budget ended
  hash: string;
}

export interface Update {
  kind: 'update';
  generation: number;
  frame: Frame;
  row: Record<SeriesName, number>;
  constants: Constants | null; // if they have changed
  certificate: Certificate;
  milliseconds: number[]; // of each step since the last update
  running: boolean;
  actions: Timed[]; // applied since the last update
}

export type Answer =
  | { kind: 'ready'; scenes: SceneInfo[] }
  | { kind: 'loaded'; generation: number; update: Update }
  | { kind: 'failed'; generation: number; message: string }
  | Update;

const SLICE = 12; // ms of steps between looks at the messages
const LAG = 50; // ms behind the wall clock; more is not caught up
const CREDIT = 2;
const LATE = 3; // status: time limit

let wasm: Wasm;
let simulation: Simulation | null = null;
let generation = 0;
let running = false;
let speed = 1;
let target = 0; // steps to do at once, as fast as possible
let origin = 0; // ms of the wall clock at which simulated time was 0
let planned: Timed[] = []; // actions of a link that are still to come
let certificate: Omit<Certificate, 'steps' | 'status' | 'energyError' | 'hash' | 'missed'> = { worst: 0, worstAt: 0, late: 0 };
let credit = CREDIT;
let unsent = false;
let grown = false;
let times: number[] = [];
let done: Timed[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function update(s: Simulation): Update {
  const { worst, worstAt, late } = certificate;
  const made: Update = {
    kind: 'update',
    generation,
    frame: s.frame(0),
    row: s.columns,
    constants: grown ? s.constants : null,
    certificate: {
      steps: s.steps,
      status: s.status,
      energyError: s.energyError,
      worst,
      worstAt,
      missed: s.missed,
      late,
      hash: s.hash,
    },
    milliseconds: times,
    running: running || s.steps < target,
    actions: done,
  };
  times = [];
  done = [];
  grown = unsent = false;
  return made;
}

function post(answer: Answer): void {
  self.postMessage(answer);
}

function send(): void {
  if (!simulation || credit <= 0) return;
  credit--;
  post(update(simulation));
}

function apply(s: Simulation, action: Action): void {
  grown = s.act(action) || grown;
  done.push({ at: s.steps, action });
  unsent = true;
}

function advance(s: Simulation): void {
  while (planned.length && planned[0].at <= s.steps) apply(s, planned.shift()!.action);
  const begin = performance.now();
  s.step();
  times.push(performance.now() - begin);
  const error = s.energyError;
  if (error > certificate.worst) Object.assign(certificate, { worst: error, worstAt: s.steps });
  if (s.status === LATE) certificate.late++;
  unsent = true;
}

/** Steps that are due, for at most a slice of time. */
function work(): void {
  const s = simulation;
  if (!s) return;
  const begin = performance.now();
  const h = (1000 * s.constants.step) / speed; // ms of the wall clock per step
  try {
    while (performance.now() - begin < SLICE) {
      const hurry = s.steps < target;
      if (!hurry && (!running || origin + (s.steps + 1) * h > performance.now())) break;
      advance(s);
    }
  } catch (error) {
    running = false;
    target = 0;
    post({ kind: 'failed', generation, message: error instanceof Error ? error.message : String(error) });
  }
  const now = performance.now();
  if (now - (origin + s.steps * h) > LAG || s.steps < target) origin = now - s.steps * h;
  if (unsent || !running) send();
  if (running || s.steps < target) schedule(s.steps < target ? 0 : Math.max(origin + (s.steps + 1) * h - now, 0));
}

function schedule(wait: number): void {
  clearTimeout(timer);
  timer = setTimeout(work, wait);
}

function load(request: Extract<Request, { kind: 'load' }>): void {
  try {
    const made = Simulation.load(wasm, request.setup);
    simulation?.destroy();
    simulation = made;
  } catch (error) {
    // The old simulation stays.
    post({ kind: 'failed', generation: request.generation, message: error instanceof Error ? error.message : String(error) });
    return;
  }
  generation = request.generation;
  running = false;
  target = request.until;
  planned = request.actions;
  certificate = { worst: 0, worstAt: 0, late: 0 };
  credit = CREDIT;
  times = [];
  done = [];
  grown = true;
  post({ kind: 'loaded', generation, update: update(simulation) });
  if (target > 0) schedule(0);
}

function start(): void {
  const s = simulation;
  if (!s) return;
  origin = performance.now() - (1000 * s.constants.step * s.steps) / speed;
  schedule(0);
}

self.onmessage = async (event: MessageEvent<Request>) => {
  const request = event.data;
  switch (request.kind) {
    case 'start':
      wasm = await create({ wasmBinary: request.module, locateFile: (name) => name });
      post({ kind: 'ready', scenes: listScenes(wasm) });
      break;
    case 'load':
      load(request);
      break;
    case 'run':
      running = true;
      speed = request.speed;
      start();
      break;
    case 'pause':
      running = false;
      target = 0;
      if (simulation) post(update(simulation)); // in any case: the page waits for it
      break;
    case 'step':
      target = (simulation?.steps ?? 0) + request.count;
      start();
      break;
    case 'act':
      planned = []; // whoever acts takes over
      try {
        if (simulation) apply(simulation, request.action);
      } catch (error) {
        post({ kind: 'failed', generation, message: error instanceof Error ? error.message : String(error) });
      }
      if (!running) send();
      break;
    case 'drawn':
      credit = Math.min(credit + 1, CREDIT);
      if (unsent) send();
      break;
  }
};

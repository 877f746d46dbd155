// The page's side of the simulation's worker: keeps the frames of a run, so that it can be shown and scrolled back like a file.
import wasmUrl from 'voussoir-live/voussoir.wasm?url';
import type { Continuation } from '../timeline';
import { SERIES, type Frame, type FrameSource, type Opened, type Series, type SeriesName, type Constants, type Track } from '../types';
import { rounded, type Action, type Timed } from './actions';
import type { SceneInfo, Setup } from './simulation';
import type { Answer, Certificate, Request, Update } from './worker';
import SimulationWorker from './worker?worker&inline';

const KEEP_BYTES = 192 << 20;
const KEEP_FRAMES = 20_000;

export class LiveSource implements FrameSource, Continuation {
  onFrame: () => void = () => undefined;
  onError: (message: string) => void = () => undefined;
  /** A new frame is the last one; constants: if bodies were added. */
  onUpdate: (series: Series, constants: Constants | null) => void = () => undefined;

  running = false;
  speed = 1;
  certificate: Certificate | null = null;
  /** ms of the last steps, newest last */
  milliseconds: number[] = [];
  /** All that hands did since the beginning. */
  actions: Timed[] = [];

  private readonly worker = new SimulationWorker();
  private frames: Frame[] = [];
  private bytes = 0;
  private columns = {} as Series; // with room at the end
  private bodies = 0;
  private generation = 0;
  private readonly loading = new Map<number, { resolve: (update: Update) => void; reject: (error: Error) => void }>();
  private undrawn = 0;
  private stopped: (() => void)[] = [];
  private ready!: (scenes: SceneInfo[]) => void;
  /** The named scenes, once the module is here. */
  readonly scenes = new Promise<SceneInfo[]>((resolve) => (this.ready = resolve));

  constructor() {
    this.worker.onmessage = (event: MessageEvent<Answer>) => this.take(event.data);
    this.worker.onerror = (event) => this.onError(event.message || 'The simulation could not be started.');
    void this.start();
  }

  private async start(): Promise<void> {
    try {
      const answer = await fetch(wasmUrl);
      if (!answer.ok) throw new Error(String(answer.status));
      const module = await answer.arrayBuffer();
      this.worker.postMessage({ kind: 'start', module } satisfies Request, [module]);
    } catch (error) {
      this.onError(`The simulation could not be fetched (${error instanceof Error ? error.message : String(error)}). Reload the page.`);
    }
  }

  private request(request: Request): void {
    this.worker.postMessage(request);
  }

  private take(answer: Answer): void {
    switch (answer.kind) {
      case 'ready':
        return this.ready(answer.scenes);
      case 'loaded':
        this.loading.get(answer.generation)?.resolve(answer.update);
        this.loading.delete(answer.generation);
        return;
      case 'failed': {
        const call = this.loading.get(answer.generation);
        this.loading.delete(answer.generation);
        if (call) return call.reject(new Error(answer.message));
        this.running = false;
        return this.onError(answer.message);
      }
      case 'update':
        if (answer.generation === this.generation) this.add(answer);
    }
  }

  // ---- a run -------------------------------------------------------------------------------------------

  /** Starts again from time 0; with `until`, goes to that step and applies the actions on the way. */
  async load(setup: Setup, actions: Timed[] = [], until = 0): Promise<Opened> {
    const generation = ++this.generation;
    const loaded = new Promise<Update>((resolve, reject) => this.loading.set(generation, { resolve, reject }));
    this.request({ kind: 'load', generation, setup, actions, until });
    const update = await loaded;
    const constants = update.constants!;
    this.frames = [];
    this.bytes = 0;
    this.columns = {} as Series;
    for (const name of SERIES) this.columns[name] = new Float64Array(256);
    this.bodies = constants.bodies.count;
    this.running = false;
    this.milliseconds = [];
    this.actions = [];
    this.undrawn = 0;
    this.keep(update);
    return { name: constants.title, constants, series: this.series, writing: false, traffic: { size: 0, bytes: 0, requests: 0 } };
  }

  resume(): void {
    this.running = true;
    this.request({ kind: 'run', speed: this.speed });
  }

  pause(): void {
    if (!this.running) return;
    this.running = false;
    this.request({ kind: 'pause' });
  }

  /** Pauses, and waits for the state that then stands still. */
  async halt(): Promise<void> {
    this.running = false;
    const stopped = new Promise<void>((resolve) => this.stopped.push(resolve));
    this.request({ kind: 'pause' });
    await stopped;
  }

  step(): void {
    this.request({ kind: 'step', count: 1 });
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.running) this.resume();
  }

  act(action: Action): void {
    this.request({ kind: 'act', action: rounded(action) });
  }

  /** The page has drawn: the worker may send more. */
  drawn(): void {
    for (; this.undrawn > 0; this.undrawn--) this.request({ kind: 'drawn' });
  }

  // ---- frames ------------------------------------------------------------------------------------------

  private add(update: Update): void {
    this.undrawn++;
    if (update.constants) this.bodies = update.constants.bodies.count;
    this.keep(update);
    this.onUpdate(this.series, update.constants);
    if (!update.running) for (const resolve of this.stopped.splice(0)) resolve();
  }

  /** Nothing new happened if time stands still: the frame replaces the last one. */
  private keep({ frame, row, certificate, milliseconds, actions }: Update): void {
    const last = this.frames.at(-1);
    if (last?.time === frame.time) {
      this.frames.pop();
      this.bytes -= bytesOf(last);
    }
    this.forget();
    frame.index = this.frames.length;
    this.frames.push(frame);
    this.bytes += bytesOf(frame);
    for (const name of SERIES) this.put(name, row[name]);
    this.certificate = certificate;
    this.milliseconds = [...this.milliseconds, ...milliseconds].slice(-240);
    for (const timed of actions) {
      const before = this.actions.at(-1);
      if (before?.at === timed.at && before.action.kind === 'pull' && timed.action.kind === 'pull') this.actions.pop();
      this.actions.push(timed);
    }
  }

  private put(name: SeriesName, value: number): void {
    const at = this.frames.length - 1;
    let column = this.columns[name];
    if (at >= column.length) {
      column = new Float64Array(2 * at);
      column.set(this.columns[name]);
      this.columns[name] = column;
    }
    column[at] = value;
  }

  /** Long runs: the older half is forgotten. */
  private forget(): void {
    if (this.bytes < KEEP_BYTES && this.frames.length < KEEP_FRAMES) return;
    const half = this.frames.length >> 1;
    this.frames = this.frames.slice(half);
    this.frames.forEach((frame, k) => (frame.index = k));
    this.bytes = this.frames.reduce((sum, frame) => sum + bytesOf(frame), 0);
    for (const name of SERIES) this.columns[name].copyWithin(0, half);
  }

  private get series(): Series {
    return Object.fromEntries(SERIES.map((name) => [name, this.columns[name].subarray(0, this.frames.length)])) as Series;
  }

  /** Bodies that came later are not there: NaN. */
  get(index: number): Frame | null {
    const frame = this.frames[index];
    if (!frame) return null;
    frame.pose = padded(frame.pose, 7 * this.bodies);
    frame.velocity = padded(frame.velocity, 6 * this.bodies);
    return frame;
  }

  want(): void {
    // All frames are here.
  }

  frame(index: number): Promise<Frame> {
    const frame = this.get(index);
    return frame ? Promise.resolve(frame) : Promise.reject(new Error(`There is no frame ${index}.`));
  }

  track(body: number): Promise<Track> {
    const count = Math.min(this.frames.length, 400);
    const track: Track = { time: new Float64Array(count), position: new Float64Array(3 * count), velocity: new Float64Array(3 * count) };
    for (let i = 0; i < count; i++) {
      const frame = this.get(Math.round((i * (this.frames.length - 1)) / Math.max(count - 1, 1)))!;
      track.time[i] = frame.time;
      track.position.set(frame.pose.subarray(7 * body, 7 * body + 3), 3 * i);
      track.velocity.set(frame.velocity.subarray(6 * body, 6 * body + 3), 3 * i);
    }
    return Promise.resolve(track);
  }
}

function padded(values: Float64Array, length: number): Float64Array {
  if (values.length === length) return values;
  const all = new Float64Array(length).fill(NaN);
  all.set(values);
  return all;
}

function bytesOf(frame: Frame): number {
  return 104 * (frame.pose.length / 7) + 116 * frame.contacts.count + 64 * (frame.nodes.position.length / 3) + 48 * frame.reaction.length + 512;
}

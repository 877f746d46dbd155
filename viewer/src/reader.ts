// The page's side of the worker: opens files and keeps frames. Only frames that somebody wants are read, one at a time;
// a newer request replaces the older ones, so that scrubbing reads what is shown and nothing else.
import type { Request } from './worker';
import ReaderWorker from './worker?worker&inline';
import type { Frame, FrameSource, Opened, Series, Track, Traffic } from './types';

const KEEP_BYTES = 256 << 20;

type Unsent<T> = T extends unknown ? Omit<T, 'id'> : never;

export interface Polled {
  series: Series | null;
  writing: boolean;
  traffic: Traffic;
}

export class Reader implements FrameSource {
  traffic: Traffic = { size: 0, bytes: 0, requests: 0 };
  /** Called when a wanted frame has come. */
  onFrame: () => void = () => undefined;
  onError: (message: string) => void = () => undefined;

  private readonly worker = new ReaderWorker();
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  private readonly kept = new Map<number, Frame>(); // in the order of their last use
  private keptBytes = 0;
  private wanted: number[] = [];
  private busy = false;
  private serial = 0;
  private generation = 0;

  constructor() {
    this.worker.onmessage = (event: MessageEvent<{ id: number; result?: unknown; error?: string }>) => {
      const { id, result, error } = event.data;
      const call = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error));
    };
    this.worker.onerror = (event) => this.onError(event.message || 'The reader could not be started.');
  }

  private call<T>(request: Unsent<Request>): Promise<T> {
    const id = this.serial++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.postMessage({ ...request, id });
    });
  }

  async open(what: { blob: Blob; name: string } | { url: string }): Promise<Opened> {
    const opened = await this.call<Opened>(
      'blob' in what ? { kind: 'open', name: what.name, blob: what.blob } : { kind: 'open', name: '', url: what.url },
    );
    this.generation++;
    this.kept.clear();
    this.keptBytes = 0;
    this.wanted = [];
    this.traffic = opened.traffic;
    return opened;
  }

  async poll(have: number): Promise<Polled> {
    const polled = await this.call<Polled>({ kind: 'poll', have });
    this.traffic = polled.traffic;
    return polled;
  }

  /** A frame that is here. */
  get(index: number): Frame | null {
    const frame = this.kept.get(index);
    if (!frame) return null;
    this.kept.delete(index);
    this.kept.set(index, frame);
    return frame;
  }

  /** Frames to read next, the most urgent first. */
  want(indices: number[]): void {
    this.wanted = indices.filter((k) => !this.kept.has(k));
    void this.pump();
  }

  /** One frame, read at once if need be. */
  async frame(index: number): Promise<Frame> {
    const frame = this.get(index);
    if (frame) return frame;
    return this.fetch(index);
  }

  /** A body over time; null if another file was opened meanwhile. */
  async track(body: number): Promise<Track | null> {
    const generation = this.generation;
    const { track, traffic } = await this.call<{ track: Track; traffic: Traffic }>({ kind: 'track', body });
    if (generation !== this.generation) return null;
    this.traffic = traffic;
    return track;
  }

  private async fetch(index: number): Promise<Frame> {
    const generation = this.generation;
    const { frame, traffic } = await this.call<{ frame: Frame; traffic: Traffic }>({ kind: 'frame', index });
    if (generation === this.generation) {
      this.traffic = traffic;
      this.keep(frame);
    }
    return frame;
  }

  private async pump(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let k = this.wanted.shift(); k !== undefined; k = this.wanted.shift()) {
        if (this.kept.has(k)) continue;
        await this.fetch(k);
        this.onFrame();
      }
    } catch (error) {
      this.wanted = [];
      this.onError(error instanceof Error ? error.message : String(error));
    } finally {
      this.busy = false;
    }
  }

  private keep(frame: Frame): void {
    if (this.kept.has(frame.index)) return;
    this.kept.set(frame.index, frame);
    this.keptBytes += bytesOf(frame);
    for (const [k, old] of this.kept) {
      if (this.keptBytes <= KEEP_BYTES || this.kept.size <= 4) break;
      this.kept.delete(k);
      this.keptBytes -= bytesOf(old);
    }
  }
}

function bytesOf(frame: Frame): number {
  const rigid = frame.pose.byteLength + frame.velocity.byteLength + frame.reaction.byteLength;
  return rigid + frame.contacts.count * 116 + frame.bonds.count * 72 + frame.nodes.position.length * 8 * (8 / 3) + 256;
}

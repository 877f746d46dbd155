// The clock of the viewer: which time is shown, playing, speed; and its controls. While playing, the picture lies between
// two frames; standing still it is exactly a frame, so that numbers are those of the file.

export interface Spot {
  index: number; // frame at or before the time
  fraction: number; // of the way to the next; 0 when not playing
}

export class Clock {
  times: Float64Array = new Float64Array(0);
  time = 0;
  playing = false;
  speed = 1;
  loop = false;

  get frames(): number {
    return this.times.length;
  }

  /** Where a time lies among the frames. */
  locate(time = this.time): Spot {
    const { times } = this;
    let low = 0;
    let high = Math.max(times.length - 1, 0);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    const next = times[low + 1];
    const fraction = next > times[low] ? Math.min(Math.max((time - times[low]) / (next - times[low]), 0), 1) : 0;
    return { index: low, fraction: this.playing ? fraction : 0 };
  }

  seek(index: number): void {
    const k = Math.min(Math.max(Math.round(index), 0), Math.max(this.frames - 1, 0));
    this.time = this.times[k] ?? 0;
  }

  /** Frame nearest to a time. */
  nearest(time: number): number {
    const { index } = this.locate(time);
    const next = this.times[index + 1];
    return next !== undefined && next - time < time - this.times[index] ? index + 1 : index;
  }

  /** Advances by wall seconds; stops at the end unless it loops. */
  advance(seconds: number): void {
    const last = this.times[this.frames - 1] ?? 0;
    this.time += seconds * this.speed;
    if (this.time < last) return;
    if (this.loop && this.frames > 1) this.time = this.times[0];
    else {
      this.time = last;
      this.playing = false;
    }
  }

  /** Frames that the next pictures need. */
  ahead(pictures: number, seconds: number): number[] {
    const wanted = new Set<number>();
    for (let k = 0; k <= pictures; k++) {
      const { index } = this.locate(this.time + k * seconds * this.speed);
      wanted.add(index);
      if (this.playing && index + 1 < this.frames) wanted.add(index + 1);
    }
    return [...wanted];
  }
}

/** What goes on behind the last frame: a simulation that runs. */
export interface Continuation {
  readonly running: boolean;
  resume(): void;
  pause(): void;
  step(): void;
}

/** Buttons, slider and texts of the time line. */
export class Transport {
  onChange: () => void = () => undefined;
  continuation: Continuation | null = null;
  private readonly scrub = element<HTMLInputElement>('scrub');
  private readonly play = element<HTMLButtonElement>('play');
  private readonly speed = element<HTMLSelectElement>('speed');

  constructor(private readonly clock: Clock) {
    this.scrub.addEventListener('input', () => this.jump(Number(this.scrub.value)));
    this.play.addEventListener('click', () => this.toggle());
    element('first').addEventListener('click', () => this.jump(0));
    element('last').addEventListener('click', () => this.jump(clock.frames - 1));
    this.speed.addEventListener('change', () => (clock.speed = Number(this.speed.value)));
    element<HTMLInputElement>('loop').addEventListener('change', (event) => {
      clock.loop = (event.target as HTMLInputElement).checked;
    });
  }

  get moving(): boolean {
    return this.clock.playing || (this.continuation?.running ?? false);
  }

  private get atEnd(): boolean {
    return this.clock.time >= this.clock.times[this.clock.frames - 1];
  }

  toggle(): void {
    const { clock, continuation } = this;
    if (continuation && (continuation.running || this.atEnd) && !clock.playing) {
      if (continuation.running) continuation.pause();
      else continuation.resume();
      return this.onChange();
    }
    if (clock.frames < 2) return;
    clock.playing = !clock.playing;
    if (clock.playing && this.atEnd) clock.seek(0);
    if (!clock.playing) clock.seek(clock.nearest(clock.time));
    this.onChange();
  }

  jump(index: number): void {
    this.continuation?.pause();
    this.clock.playing = false;
    this.clock.seek(index);
    this.onChange();
  }

  step(by: number): void {
    if (by > 0 && this.continuation && this.atEnd && !this.moving) return this.continuation.step();
    this.jump(this.clock.nearest(this.clock.time) + by);
  }

  changeSpeed(by: number): void {
    const k = Math.min(Math.max(this.speed.selectedIndex + by, 0), this.speed.options.length - 1);
    this.speed.selectedIndex = k;
    this.clock.speed = Number(this.speed.value);
  }

  /** Shows where the clock stands. */
  show(): void {
    const { clock } = this;
    const index = clock.locate().index;
    this.scrub.max = String(Math.max(clock.frames - 1, 0));
    this.scrub.value = String(index);
    const time = `${clock.time.toFixed(3)} s`;
    this.scrub.setAttribute('aria-valuetext', `frame ${index}, ${time}`);
    element('clock').textContent = time;
    element('counter').textContent = clock.frames ? `frame ${index} of ${clock.frames - 1}` : 'no frames';
    this.play.querySelector('path')!.setAttribute('d', this.moving ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M3 2v12l11-6z');
    this.play.setAttribute('aria-label', this.moving ? 'Pause' : 'Play');
  }
}

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found as T;
}

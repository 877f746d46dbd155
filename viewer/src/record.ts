// Pictures (PNG) and films (WebM) of the view, with the colour bars.
import { BAR_HEIGHT, BAR_WIDTH, drawBar, type Bar } from './legend';
import { LOOKS, type Theme } from './colours';

/** View and bars on one canvas. */
export function compose(view: HTMLCanvasElement, bars: Bar[], theme: Theme, to = document.createElement('canvas')): HTMLCanvasElement {
  if (to.width !== view.width || to.height !== view.height) {
    to.width = view.width;
    to.height = view.height;
  }
  const c = to.getContext('2d')!;
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.fillStyle = LOOKS[theme].background;
  c.fillRect(0, 0, to.width, to.height);
  c.drawImage(view, 0, 0);
  const ratio = view.width / Math.max(view.clientWidth, 1);
  c.scale(ratio, ratio);
  bars.forEach((bar, k) => drawBar(c, bar, theme, 14 + k * (BAR_WIDTH + 22), view.clientHeight - BAR_HEIGHT - 12));
  return to;
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
  );
}

/** Films what is shown until stop(). */
export class Film {
  private readonly canvas = document.createElement('canvas');
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];
  private readonly done: Promise<Blob>;

  constructor(
    private readonly view: HTMLCanvasElement,
    private readonly bars: () => Bar[],
    private readonly theme: () => Theme,
  ) {
    this.add();
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
    if (!type) throw new Error('This browser cannot write WebM.');
    this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = (event) => this.parts.push(event.data);
    this.done = new Promise((resolve) => {
      this.recorder.onstop = () => resolve(new Blob(this.parts, { type: 'video/webm' }));
    });
    this.recorder.start();
  }

  /** One more picture. */
  add(): void {
    compose(this.view, this.bars(), this.theme(), this.canvas);
  }

  stop(): Promise<Blob> {
    this.recorder.stop();
    return this.done;
  }
}

// Colour bars with numbers and units, drawn on a canvas: the same on the page and in saved pictures.
import { format, LOOKS, ticks, type ColourMap, type Theme } from './colours';

export interface Bar {
  title: string; // with the unit
  map: ColourMap;
  low: number;
  high: number;
  open: boolean; // values above the end have the end's colour
  from: number; // part of the map that is used
}

export const BAR_WIDTH = 240;
export const BAR_HEIGHT = 46;

export function drawBar(c: CanvasRenderingContext2D, bar: Bar, theme: Theme, x: number, y: number): void {
  const look = LOOKS[theme];
  const [left, top, width, height] = [x + 10, y + 18, BAR_WIDTH - 30, 10];
  c.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
  c.fillStyle = look.ink;
  c.textAlign = 'left';
  c.textBaseline = 'alphabetic';
  c.fillText(bar.title, left, y + 12);
  for (let k = 0; k < width; k++) {
    c.fillStyle = bar.map.cssAt(bar.from + (1 - bar.from) * (k / (width - 1)));
    c.fillRect(left + k, top, 1.5, height);
  }
  c.font = '11px system-ui, "DejaVu Sans", sans-serif';
  c.fillStyle = look.ink;
  c.textAlign = 'center';
  const marks = ticks(bar.low, bar.high, 4);
  for (const v of marks) {
    const at = left + ((v - bar.low) / (bar.high - bar.low || 1)) * width;
    c.fillRect(at - 0.5, top + height, 1, 3);
    c.fillText(format(v), at, top + height + 14);
  }
  if (!bar.open) return;
  c.fillStyle = bar.map.cssAt(1);
  c.beginPath();
  c.moveTo(left + width + 1, top);
  c.lineTo(left + width + 9, top + height / 2);
  c.lineTo(left + width + 1, top + height);
  c.fill();
}

/** The bars of the page. */
export class Legends {
  bars: Bar[] = [];
  private drawn = '';

  constructor(private readonly parent: HTMLElement) {}

  show(bars: Bar[], theme: Theme): void {
    this.bars = bars;
    const key = theme + JSON.stringify(bars.map(({ title, low, high, open }) => [title, low, high, open]));
    if (key === this.drawn) return;
    this.drawn = key;
    const ratio = Math.min(window.devicePixelRatio, 3);
    this.parent.replaceChildren(
      ...bars.map((bar) => {
        const canvas = document.createElement('canvas');
        canvas.width = BAR_WIDTH * ratio;
        canvas.height = BAR_HEIGHT * ratio;
        canvas.style.width = `${BAR_WIDTH}px`;
        canvas.style.height = `${BAR_HEIGHT}px`;
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', `${bar.title}: ${format(bar.low)} to ${format(bar.high)}`);
        const c = canvas.getContext('2d')!;
        c.scale(ratio, ratio);
        drawBar(c, bar, theme, 0, 0);
        return canvas;
      }),
    );
  }
}

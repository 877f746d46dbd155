// The viewer of files: opens them, and follows one that a simulation still writes.
import { App } from './app';
import { Reader } from './reader';
import { element } from './timeline';
import { SERIES, type Series } from './types';

const POLL = 1000; // ms between looks at a file that grows

export class FileApp extends App {
  readonly reader: Reader;
  private url = '';
  private writing = false;
  private polling = false;

  constructor() {
    const reader = new Reader();
    super(reader);
    this.reader = reader;
    setInterval(() => void this.poll(), POLL);
  }

  /** A trajectory inside the page, or the one that the address names. */
  async openInitial(): Promise<void> {
    const inside = document.getElementById('trajectory');
    const query = new URLSearchParams(location.search);
    if (inside?.textContent) {
      const bytes = Uint8Array.from(atob(inside.textContent.replace(/\s/g, '')), (c) => c.charCodeAt(0));
      await this.open({ blob: new Blob([bytes]), name: inside.dataset.name ?? 'trajectory' });
    } else if (query.get('file')) await this.open({ url: new URL(query.get('file')!, location.href).href });
  }

  async open(what: { blob: Blob; name: string } | { url: string }): Promise<boolean> {
    try {
      const opened = await this.reader.open(what);
      if (opened.series.time.length === 0) throw new Error('The simulation has not written a frame yet. Open it again later.');
      this.url = 'url' in what ? what.url : '';
      this.writing = opened.writing;
      await this.load(opened);
      return true;
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  protected override describe(): void {
    super.describe();
    element('live').hidden = !(this.writing && this.url);
  }

  /** Asks for frames that a running simulation has added. */
  private async poll(): Promise<void> {
    if (!this.url || !this.writing || this.polling || !this.series) return;
    this.polling = true;
    try {
      const { series, writing } = await this.reader.poll(this.clock.frames);
      this.writing = writing;
      if (series) this.extend(joined(this.series, series));
      this.describe();
    } catch {
      // Caught in the middle of a change: the next look will see it whole.
    } finally {
      this.polling = false;
    }
  }
}

function joined(old: Series, more: Series): Series {
  const all = {} as Series;
  for (const name of SERIES) {
    all[name] = new Float64Array(old[name].length + more[name].length);
    all[name].set(old[name]);
    all[name].set(more[name], old[name].length);
  }
  return all;
}

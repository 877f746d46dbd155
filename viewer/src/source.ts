// Random access to a file that is not read whole: a Blob, or an address that answers range requests. Runs in a worker:
// HDF5 wants its bytes at once, so reading is synchronous. Blocks that were read are kept, up to a limit.

// Only workers have it, and TypeScript knows either them or pages.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const BLOCK = 1 << 18; // bytes
const KEEP = 256; // blocks: 64 MB

export abstract class Source {
  size = 0;
  bytes = 0; // fetched so far
  requests = 0;
  private readonly blocks = new Map<number, Uint8Array>(); // in the order of their last use

  constructor(readonly name: string) {}

  /** Bytes offset … offset + length - 1, all inside the file. */
  protected abstract fetch(offset: number, length: number): Uint8Array;
  /** Looks whether the file has changed; forgets what was read if so. */
  abstract refresh(): boolean;

  forget(): void {
    this.blocks.clear();
  }

  /** Copies at most `length` bytes to `to`; fewer at the end of the file. */
  read(to: Uint8Array, offset: number, length: number): number {
    const end = Math.min(offset + length, this.size);
    if (end <= offset) return 0;
    const first = Math.floor(offset / BLOCK);
    const last = Math.floor((end - 1) / BLOCK);
    this.load(first, last);
    for (let k = first; k <= last; k++) {
      const block = this.blocks.get(k)!;
      const start = k * BLOCK;
      const from = Math.max(offset, start);
      const until = Math.min(end, start + block.length);
      to.set(block.subarray(from - start, until - start), from - offset);
      this.blocks.delete(k); // used last: to the end
      this.blocks.set(k, block);
    }
    this.evict(last - first + 1);
    return end - offset;
  }

  /** Blocks that are missing, neighbours together in one request. */
  private load(first: number, last: number): void {
    for (let k = first; k <= last; k++) {
      if (this.blocks.has(k)) continue;
      let stop = k + 1;
      while (stop <= last && !this.blocks.has(stop)) stop++;
      const offset = k * BLOCK;
      const length = Math.min(stop * BLOCK, this.size) - offset;
      const data = this.fetch(offset, length);
      if (data.length !== length) throw new Error(`${this.name}: ${data.length} of ${length} bytes came`);
      this.bytes += length;
      this.requests++;
      for (; k < stop; k++)
        this.blocks.set(k, data.slice(k * BLOCK - offset, Math.min((k + 1) * BLOCK - offset, length)));
    }
  }

  private evict(needed: number): void {
    const most = Math.max(KEEP, needed);
    for (const k of this.blocks.keys()) {
      if (this.blocks.size <= most) break;
      this.blocks.delete(k);
    }
  }
}

export class BlobSource extends Source {
  private readonly reader = new FileReaderSync();

  constructor(
    name: string,
    private readonly blob: Blob,
  ) {
    super(name);
    this.size = blob.size;
  }

  protected override fetch(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(offset, offset + length)));
  }

  override refresh(): boolean {
    return false; // a Blob is a snapshot
  }
}

export class UrlSource extends Source {
  private whole: Uint8Array | null = null; // the server does not know ranges
  private stamp = '';

  constructor(private readonly url: string) {
    super(decodeURIComponent(url.replace(/[?#].*$/, '').replace(/^.*\//, '')) || url);
    const first = this.request('GET', `bytes=0-${BLOCK - 1}`);
    const data = new Uint8Array(first.response as ArrayBuffer);
    this.stamp = stampOf(first);
    const range = /\/(\d+)$/.exec(first.getResponseHeader('Content-Range') ?? '');
    this.size = range ? Number(range[1]) : data.length;
    if (!range) {
      this.whole = data;
      this.bytes = data.length;
      this.requests = 1;
    }
  }

  private request(method: string, range: string): XMLHttpRequest {
    const x = new XMLHttpRequest();
    x.open(method, this.url, false);
    x.responseType = 'arraybuffer';
    if (range) x.setRequestHeader('Range', range);
    x.setRequestHeader('Cache-Control', 'no-cache'); // a running simulation changes what was read before
    try {
      x.send();
    } catch {
      throw new Error(`${this.name} cannot be fetched: no connection`);
    }
    if (x.status === 416) throw new Error(`${this.name} is empty`);
    if (x.status !== 200 && x.status !== 206) throw new Error(`${this.name} cannot be fetched: the server says ${x.status}`);
    return x;
  }

  protected override fetch(offset: number, length: number): Uint8Array {
    if (this.whole) return this.whole.subarray(offset, offset + length);
    const x = this.request('GET', `bytes=${offset}-${offset + length - 1}`);
    return new Uint8Array(x.response as ArrayBuffer);
  }

  override refresh(): boolean {
    const head = this.request('HEAD', '');
    const stamp = stampOf(head);
    // Dates have seconds only: a file that changed just now may have changed again.
    const changed = Date.parse(head.getResponseHeader('Last-Modified') ?? '');
    const now = Date.parse(head.getResponseHeader('Date') ?? '');
    const fresh = now - changed < 2000;
    if (stamp === this.stamp && !fresh) return false;
    this.stamp = stamp;
    this.forget();
    if (this.whole) {
      this.whole = new Uint8Array(this.request('GET', '').response as ArrayBuffer);
      this.size = this.whole.length;
      this.bytes += this.size;
      this.requests++;
    } else this.size = Number(head.getResponseHeader('Content-Length') ?? this.size);
    return true;
  }
}

function stampOf(x: XMLHttpRequest): string {
  const size = /\/(\d+)$/.exec(x.getResponseHeader('Content-Range') ?? '')?.[1] ?? x.getResponseHeader('Content-Length');
  return [size, x.getResponseHeader('Last-Modified'), x.getResponseHeader('ETag')].join('|');
}

// The reader's side in a worker: mounts a source as a file of HDF5's, opens it as a trajectory, answers requests.
import './quiet';
import { File as H5File, Module, ready } from 'h5wasm';
import { BlobSource, UrlSource, type Source } from './source';
import { FormatError, Trajectory } from './trajectory';
import type { Opened, Traffic } from './types';

export type Request =
  | { id: number; kind: 'open'; name: string; blob?: Blob; url?: string }
  | { id: number; kind: 'frame'; index: number }
  | { id: number; kind: 'track'; body: number }
  | { id: number; kind: 'poll'; have: number };

interface Open {
  source: Source;
  path: string;
  file: H5File;
  trajectory: Trajectory;
  writing: boolean;
}

let current: Open | null = null;
let serial = 0;

function trafficOf(source: Source): Traffic {
  return { size: source.size, bytes: source.bytes, requests: source.requests };
}

// Emscripten's file system has no type for nodes whose content lives elsewhere; this is what FS.createLazyFile() does too.
interface Node {
  stream_ops: Record<string, unknown>;
}
interface FileSystem {
  createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): Node;
  unlink(path: string): void;
  ErrnoError: new (code: number) => Error;
}

const EIO = 29;
const READ_ATTEMPTS = 20;
let readFailure = '';

// A reader of a file that is being written may meet a piece that is half written. HDF5 then reads the same bytes again, and
// waits twice as long each time, a hundred times: they must be fetched again, and a damaged file must not hang us for hours.
const last = { position: -1, length: 0, times: 0 };

function watchRepeats(source: Source, position: number, length: number): void {
  if (position !== last.position || length !== last.length) {
    Object.assign(last, { position, length, times: 0 });
    return;
  }
  if (++last.times > READ_ATTEMPTS) throw new FormatError('The file is damaged, or changes faster than it can be read.');
  source.forget();
}

function mount(source: Source): string {
  const fs = Module.FS as unknown as FileSystem;
  const name = `trajectory-${serial++}.h5`;
  const node = fs.createFile('/', name, {}, true, false);
  Object.defineProperty(node, 'usedBytes', { get: () => source.size });
  const read = (_: unknown, buffer: Uint8Array, offset: number, length: number, position: number): number => {
    try {
      const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
      watchRepeats(source, Number(position), length);
      return source.read(bytes, Number(position), length);
    } catch (error) {
      readFailure = error instanceof Error ? error.message : String(error);
      throw new fs.ErrnoError(EIO);
    }
  };
  node.stream_ops = { ...node.stream_ops, read };
  return `/${name}`;
}

function unmount(open: Open): void {
  open.file.close();
  (Module.FS as unknown as FileSystem).unlink(open.path);
}

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

// A file that is being written, or whose writer was killed, opens only when the reader says that it knows. The superblock
// (version 3) has the mark: byte 11; and how long the file is at least: bytes 28 to 35.
function openFile(path: string, head: Uint8Array, size: number): { file: H5File; writing: boolean } {
  const end = Number(new DataView(head.buffer).getBigUint64(28, true));
  const writing = head[8] === 3 && (head[11] & 4) !== 0; // then the end may lie ahead of what is written
  if (head[8] >= 2 && !writing && end > size)
    throw new FormatError(`The file is damaged: ${end - size} bytes are missing at its end.`);
  try {
    const file = new H5File(path, writing ? 'Sr' : 'r');
    if (file.file_id > 0n) return { file, writing };
  } catch {
    // told below
  }
  throw new FormatError(readFailure || 'The file is damaged: HDF5 cannot open it.');
}

function openSource(source: Source): Open {
  const head = new Uint8Array(48);
  source.read(head, 0, head.length);
  if (!SIGNATURE.every((byte, k) => head[k] === byte))
    throw new FormatError(`${source.name} is not an HDF5 file. Open a trajectory that 'voussoir run … -o' wrote.`);
  const path = mount(source);
  const { file, writing } = openFile(path, head, source.size);
  return { source, path, file, trajectory: new Trajectory(file, source.size), writing };
}

function describe(open: Open): Opened {
  const { trajectory, source, writing } = open;
  const frames = trajectory.frames;
  if (frames === 0 && !writing) throw new FormatError('The trajectory holds no frames.');
  return {
    name: source.name,
    constants: trajectory.constants,
    series: trajectory.series(0, frames),
    writing,
    traffic: trafficOf(source),
  };
}

async function open(request: Extract<Request, { kind: 'open' }>): Promise<Opened> {
  await ready;
  const source = request.blob ? new BlobSource(request.name, request.blob) : new UrlSource(request.url!);
  const next = openSource(source);
  const opened = describe(next);
  if (current) unmount(current); // only now: a broken file leaves the old one as it is
  current = next;
  return opened;
}

// What came since `have` frames. The file is reopened: all that HDF5 keeps of a changing file is then of one moment.
function poll(have: number): { series: ReturnType<Trajectory['series']> | null; writing: boolean; traffic: Traffic } {
  if (!current) throw new Error('nothing is open');
  const { source } = current;
  if (!source.refresh()) return { series: null, writing: current.writing, traffic: trafficOf(source) };
  const next = openSource(source);
  unmount(current);
  current = next;
  const frames = next.trajectory.frames;
  const series = frames > have ? next.trajectory.series(have, frames) : null;
  return { series, writing: next.writing, traffic: trafficOf(source) };
}

function frame(index: number): unknown {
  if (!current) throw new Error('nothing is open');
  return { frame: current.trajectory.frame(index), traffic: trafficOf(current.source) };
}

const TRACK = 400; // frames: more than a small chart has columns of pixels

function track(body: number): unknown {
  if (!current) throw new Error('nothing is open');
  return { track: current.trajectory.track(body, TRACK), traffic: trafficOf(current.source) };
}

async function answer(request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'open':
      return open(request);
    case 'frame':
      return frame(request.index);
    case 'track':
      return track(request.body);
    case 'poll':
      return poll(request.have);
  }
}

self.onmessage = async (event: MessageEvent<Request>) => {
  const request = event.data;
  try {
    readFailure = '';
    last.position = -1;
    const result = await answer(request);
    self.postMessage({ id: request.id, result });
  } catch (error) {
    const text = readFailure || (error instanceof Error ? error.message : String(error));
    self.postMessage({ id: request.id, error: text });
  }
};

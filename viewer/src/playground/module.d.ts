// The WebAssembly module of ../../live: what it exports is in live.h. Pointers are numbers.
declare module 'voussoir-live/voussoir.mjs' {
  export interface Wasm {
    HEAPF64: Float64Array;
    HEAP32: Int32Array;
    UTF8ToString(pointer: number): string;
    cwrap(name: string, result: 'number' | null, parameters: ('number' | 'string')[]): (...values: (number | string)[]) => number;
    [name: `_live_${string}`]: (...values: number[]) => number;
  }
  export default function create(options: { wasmBinary: ArrayBuffer; locateFile: (name: string) => string }): Promise<Wasm>;
}

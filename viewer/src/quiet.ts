// HDF5 prints its reasons whenever an open fails, also when that is expected (a file that is being written opens at the second
// attempt). The reader tells what went wrong itself. Import this before h5wasm, which keeps the console's functions.
console.error = () => undefined;
export {};

// Two builds of the same page: `vite build` gives dist/ with relative paths, `--mode single` one self-contained page.
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** licenses.txt: the terms of what is inside. h5wasm's include those of HDF5. */
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      const parts = ['three/LICENSE', 'h5wasm/LICENSE.txt'].map(
        (path) => `${path.replace(/\/.*/, '')}\n\n${readFileSync(new URL(`node_modules/${path}`, import.meta.url), 'utf8')}`,
      );
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: parts.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: mode === 'single' ? [viteSingleFile({ removeViteModuleLoader: true }), licenses()] : [licenses()],
  worker: { format: 'iife' }, // a page opened as file:// may start classic workers only
  build: {
    target: 'es2022',
    outDir: mode === 'single' ? 'dist-single' : 'dist',
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
  },
}));

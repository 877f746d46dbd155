// Two builds of the same page into dist/: `vite build` gives index.html with relative paths, `--mode single` then
// standalone.html, one self-contained page.
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** The terms of what is inside. h5wasm's include those of HDF5. */
function terms(): string {
  return ['three/LICENSE', 'h5wasm/LICENSE.txt']
    .map((path) => `${path.replace(/\/.*/, '')}\n\n${readFileSync(new URL(`node_modules/${path}`, import.meta.url), 'utf8')}`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: terms() });
    },
  };
}

/** After the page was put together: another name, and the terms inside, because it travels alone. */
function standalone(): Plugin {
  return {
    name: 'standalone',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('there is no page');
      const text = `<script type="text/plain" id="licenses">\n${terms()}</script>\n  </body>`;
      const source = String(page.source).replace(/<\/body>(?![\s\S]*<\/body>)/, () => text);
      delete bundle['index.html'];
      this.emitFile({ type: 'asset', fileName: 'standalone.html', source });
    },
  };
}

export default defineConfig(({ mode }) => {
  const single = mode === 'single';
  return {
    base: './',
    plugins: single ? [viteSingleFile({ removeViteModuleLoader: true }), standalone()] : [licenses()],
    worker: { format: 'iife' as const }, // a page opened as file:// may start classic workers only
    build: {
      target: 'es2022',
      emptyOutDir: !single,
      chunkSizeWarningLimit: 10_000,
      reportCompressedSize: false,
    },
  };
});

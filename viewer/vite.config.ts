// Builds into dist/: `vite build` gives index.html (files) and playground.html (simulations) with relative paths; `--mode single`
// then standalone.html and `--mode playground` playground-standalone.html, self-contained pages.
//
// The playground needs the WebAssembly module (viewer/live, `cmake --preset wasm`), in ../build/wasm/live or where
// VOUSSOIR_LIVE says. Without it the viewer alone is built.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const HERE = import.meta.dirname;
const LIVE = resolve(process.env.VOUSSOIR_LIVE ?? resolve(HERE, '../build/wasm/live'));
const hasLive = existsSync(resolve(LIVE, 'voussoir.mjs')) && existsSync(resolve(LIVE, 'voussoir.wasm'));

/** The terms of what is inside. h5wasm's include those of HDF5. */
function terms(packages: string[]): string {
  return packages
    .map((path) => `${path.replace(/\/.*/, '')}\n\n${readFileSync(resolve(HERE, 'node_modules', path), 'utf8')}`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
const VIEWER_TERMS = ['three/LICENSE', 'h5wasm/LICENSE.txt'];

function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: terms(VIEWER_TERMS) });
    },
  };
}

/** `<!--include parts/display.html-->`: pages share parts. */
function include(): Plugin {
  const insert = (html: string): string =>
    html.replace(/<!--include ([\w/.-]+)-->/g, (_, path: string) => readFileSync(resolve(HERE, path), 'utf8'));
  return { name: 'include', transformIndexHtml: { order: 'pre', handler: insert } };
}

/**
 * Pages run their own scripts (with WebAssembly, in workers made from Blobs) and talk to the server that they come from, and to nobody
 * else: a file or a link cannot make them send anything away. Self-contained pages have their scripts and styles inside.
 */
function policy(single: boolean): Plugin {
  const own = single ? "'unsafe-inline' blob: data:" : "'self'";
  const content = [
    "default-src 'none'",
    `script-src ${own} 'wasm-unsafe-eval'`,
    `style-src ${single ? "'unsafe-inline'" : "'self'"}`,
    "worker-src 'self' blob: data:",
    "connect-src 'self' blob: data:",
    "img-src 'self' blob: data:",
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return {
    name: 'policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<head>', () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${content}" />`),
    },
  };
}

/** The module gets its bytes from the page: it must not look for a file of its own. */
function liveModule(): Plugin {
  return {
    name: 'live-module',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('voussoir.mjs')) return null;
      return { code: code.replaceAll('import.meta.url', 'self.location.href'), map: null };
    },
  };
}

/** After the page was put together: another name, and the terms inside, because it travels alone. */
function standalone(from: string, to: string, packages: string[]): Plugin {
  return {
    name: 'standalone',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle[from];
      if (page?.type !== 'asset') throw new Error('there is no page');
      const text = `<script type="text/plain" id="licenses">\n${terms(packages)}</script>\n  </body>`;
      const source = String(page.source).replace(/<\/body>(?![\s\S]*<\/body>)/, () => text);
      Reflect.deleteProperty(bundle, from);
      this.emitFile({ type: 'asset', fileName: to, source });
    },
  };
}

export default defineConfig(({ mode, command }) => {
  const whole = mode !== 'single' && mode !== 'playground';
  if (!hasLive && command === 'build' && whole)
    console.warn(
      `The playground is not built: there is no voussoir.mjs in ${LIVE}.\n` +
        'Make it with `cmake --preset wasm && cmake --build --preset wasm` (viewer/live/README.md), or name its folder in VOUSSOIR_LIVE.',
    );
  if (!hasLive && command === 'build' && mode === 'playground') process.exit(0);
  const single = [viteSingleFile({ removeViteModuleLoader: true })];
  const plugins =
    mode === 'single'
      ? [...single, standalone('index.html', 'standalone.html', VIEWER_TERMS)]
      : mode === 'playground'
        ? [...single, standalone('playground.html', 'playground-standalone.html', ['three/LICENSE'])]
        : [licenses()];
  const pages = { index: resolve(HERE, 'index.html'), playground: resolve(HERE, 'playground.html') };
  return {
    base: './',
    plugins: [include(), liveModule(), policy(!whole), ...plugins],
    resolve: { alias: { 'voussoir-live': LIVE } },
    server: { fs: { allow: [HERE, LIVE] } },
    worker: { format: 'iife' as const, plugins: () => [liveModule()] }, // a page opened as file:// may start classic workers only
    build: {
      target: 'es2022',
      emptyOutDir: whole,
      chunkSizeWarningLimit: 10_000,
      reportCompressedSize: false,
      rollupOptions: {
        input: mode === 'single' || !hasLive ? pages.index : mode === 'playground' ? pages.playground : pages,
      },
    },
  };
});

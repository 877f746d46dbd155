// A Chromium without a screen, and a server that knows ranges. Debian's browser, or the one that CHROMIUM names.
import { createServer, type Server } from 'node:http';
import { createReadStream, statSync } from 'node:fs';
import { extname, join, normalize, resolve } from 'node:path';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { FileApp } from '../../src/files';
import { PATIENCE } from './patience';

declare global {
  interface Window {
    voussoir: FileApp;
  }
}

export const VIEWER = resolve(import.meta.dirname, '../..');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export interface Served {
  url: string;
  server: Server;
  bytes: number; // of answers to range requests
}

/** Serves the built viewer, and files below `data` as /data/…. */
export async function serve(data: string): Promise<Served> {
  const served: Served = { url: '', server: createServer(), bytes: 0 };
  served.server.on('request', (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://x').pathname));
    const file = path.startsWith('/data/') ? join(data, path.slice(6)) : join(VIEWER, 'dist', path === '/' ? 'index.html' : path);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const { size, mtime: changed } = found;
    const headers = {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Last-Modified': changed.toUTCString(),
      'Accept-Ranges': 'bytes',
    };
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (request.method === 'HEAD') response.writeHead(200, { ...headers, 'Content-Length': size }).end();
    else if (range && size > 0) {
      const [first, last] = [Number(range[1]), Math.min(Number(range[2]), size - 1)];
      const length = last - first + 1;
      served.bytes += length;
      response.writeHead(206, { ...headers, 'Content-Length': length, 'Content-Range': `bytes ${first}-${last}/${size}` });
      createReadStream(file, { start: first, end: last }).pipe(response);
    } else {
      response.writeHead(200, { ...headers, 'Content-Length': size });
      createReadStream(file, { end: Math.max(size - 1, 0) }).pipe(response);
    }
  });
  await new Promise<void>((done) => served.server.listen(0, '127.0.0.1', done));
  served.url = `http://127.0.0.1:${(served.server.address() as AddressInfo).port}`;
  return served;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // The processor draws: only what is WebGL goes through it as through a graphics card, pages are put together without.
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--ignore-gpu-blocklist', '--disable-gpu-compositing'],
  });
}

/** A page whose errors end up in `errors`. */
export async function newPage(browser: Browser, errors: string[], size = { width: 960, height: 600 }): Promise<Page> {
  const page = await browser.newPage({ viewport: size, colorScheme: 'light', acceptDownloads: true });
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => {
    if (message.type() === 'error' || (message.type() === 'warning' && !/GPU stall|swiftshader/i.test(message.text())))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return page;
}

/** Until the frame of the clock is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { current, clock } = window.voussoir;
    return current !== null && current.index === clock.locate().index;
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

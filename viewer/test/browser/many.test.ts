// Many bodies: draw calls, time of a picture, and how much of a large file is read. Times are printed, not judged: here the
// processor draws. The opening of the large file is judged, and the bytes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OUT } from '../unit/files';
import { launch, newPage, serve, settled, type Served } from './harness';

let browser: Browser;
let served: Served;
const made: string[] = [];

beforeAll(async () => {
  mkdirSync(OUT, { recursive: true });
  served = await serve(OUT);
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
  served.server.close();
  for (const path of made) unlinkSync(path);
});

function spheres(name: string, count: number, frames: number): string {
  const path = join(OUT, name);
  const script = join(import.meta.dirname, 'spheres.py');
  execFileSync(process.env.PYTHON ?? '/usr/bin/python3', [script, path, String(count), String(frames)]);
  made.push(path);
  return path;
}

test('100 000 spheres: few draw calls', async () => {
  spheres('many.h5', 100_000, 3);
  const errors: string[] = [];
  const page = await newPage(browser, errors);
  await page.goto(`${served.url}/?file=/data/many.h5&colour=speed`);
  await settled(page);
  const measured = await page.evaluate(async () => {
    const app = window.voussoir;
    const { calls, triangles } = app.scene.renderer.info.render;
    const gl = app.scene.renderer.getContext();
    const pixel = new Uint8Array(4);
    const draw: number[] = [];
    const place: number[] = [];
    for (let k = 0; k < 4; k++) {
      let start = performance.now();
      app.scene.bodies!.place(app.current!.pose);
      place.push(performance.now() - start);
      start = performance.now();
      app.scene.touch();
      app.scene.render();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits until it is drawn
      draw.push(performance.now() - start);
    }
    return { calls, triangles, draw: Math.min(...draw), place: Math.min(...place) };
  });
  console.log(
    `100 000 spheres: ${measured.calls} draw calls, ${measured.triangles} triangles; ` +
      `placing ${measured.place.toFixed(1)} ms, drawing ${measured.draw.toFixed(0)} ms in software`,
  );
  expect(measured.calls).toBeLessThanOrEqual(8);
  expect(errors).toEqual([]);
  await page.close();
});

test('spheres that are drawn as squares: orthographic and in section', async () => {
  const side = 15;
  spheres('grid.h5', side ** 3, 1);
  const errors: string[] = [];
  const page = await newPage(browser, errors);
  await page.goto(`${served.url}/?file=/data/grid.h5&colour=motion&orthographic=1&azimuth=0&elevation=0`);
  await settled(page);
  /** Colours at points of a sphere's face that one sees along x, in its radii from the middle; the sphere is off the centre. */
  const colours = (points: number[][]): Promise<string[]> =>
    page.evaluate(
      ([at]) => {
        const { scene, current } = window.voussoir;
        const { renderer } = scene;
        const gl = renderer.getContext();
        const pixel = new Uint8Array(4);
        const ratio = renderer.getPixelRatio();
        const [, y, z] = current!.pose.subarray(0, 3);
        scene.touch();
        scene.render();
        return at.map(([dy, dz]) => {
          const p = scene.project(scene.bounds.min.x, y + 0.05 * dy, z + 0.05 * dz)!;
          gl.readPixels(Math.round(ratio * p.x), Math.round(gl.drawingBufferHeight - ratio * p.y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          return pixel.join(' ');
        });
      },
      [points] as const,
    );
  // Along x all spheres of a row are behind the first one: one looks through the gap between four rows.
  const [middle, edge, gap] = await colours([[0, 0], [0.6, 0.6], [1.05, 1.05]]);
  expect(middle).not.toBe(gap);
  expect(edge).not.toBe(gap);
  // Through the middles of a layer: flat discs.
  await page.selectOption('#section', 'x');
  await settled(page);
  const [disc, rim, through] = await colours([[0, 0], [0.6, 0.6], [1.05, 1.05]]);
  expect(disc).toBe(rim);
  expect(disc).not.toBe(middle);
  expect(through).toBe(gap);
  const first = await page.evaluate(() => {
    const { scene, current } = window.voussoir;
    const p = scene.project(scene.bounds.min.x, current!.pose[1], current!.pose[2])!;
    return scene.bodies!.pick(scene.rayAt(p.x, p.y));
  });
  expect(first).toBe((side - 1) / 2); // of the row along x
  expect(errors).toEqual([]);
  await page.close();
});

test('20 000 spheres, 500 frames: opens at once, and scrubbing reads what it shows', async () => {
  const size = statSync(spheres('long.h5', 20_000, 500)).size;
  const errors: string[] = [];
  const page = await newPage(browser, errors, { width: 900, height: 600 });
  await page.goto(served.url);
  await page.waitForFunction(() => 'voussoir' in window);
  const before = served.bytes;
  const seconds = await page.evaluate(async () => {
    const start = performance.now();
    await window.voussoir.open({ url: new URL('/data/long.h5', location.href).href });
    return (performance.now() - start) / 1000;
  });
  await settled(page);
  const opening = served.bytes - before;
  await page.locator('#scrub').fill('123');
  await settled(page);
  const one = served.bytes - before - opening;
  const frame = 20_000 * (7 + 6) * 8 + 20_000 * (2 * 4 + 13 * 8);
  console.log(
    `${(size / 1e9).toFixed(2)} GB: opened in ${seconds.toFixed(1)} s with ${(opening / 1e6).toFixed(1)} MB; ` +
      `a frame of ${(frame / 1e6).toFixed(1)} MB took ${(one / 1e6).toFixed(1)} MB`,
  );
  // Bytes, not seconds: a busy machine that draws in software took from 2 to 9 s.
  expect(opening).toBeLessThan(0.05 * size);
  // Blocks of 256 kB: at most one more at both ends of each of the columns, and the index of the chunks.
  expect(one).toBeLessThan(frame + 24 * (1 << 18));
  expect(errors).toEqual([]);
  await page.close();
});

// The playground in a real browser: speed, bits, hands, links, size. It needs the WebAssembly module (viewer/live) in the pages;
// VOUSSOIR_STATE_HASH names the program of the same folder for the computer itself, to compare bits.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Playground } from '../../src/playground/main';
import { launch, newPage, serve, VIEWER, type Served } from './harness';

declare global {
  interface Window {
    playground: Playground;
  }
}

const PAGE = join(VIEWER, 'dist/playground-standalone.html');
const STATE_HASH = process.env.VOUSSOIR_STATE_HASH ?? '';
if (!existsSync(PAGE)) throw new Error(`${PAGE} is missing: build the WebAssembly module first (viewer/live/README.md)`);

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

beforeAll(async () => {
  served = await serve(VIEWER);
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  served.server.close();
});
beforeEach(async () => {
  errors = [];
  page = await newPage(browser, errors, { width: 900, height: 600 });
});
afterEach(async () => {
  await page.close();
  expect(errors).toEqual([]);
});

const steps = (): Promise<number> => page.evaluate(() => window.playground.source.certificate?.steps ?? -1);

async function reach(count: number): Promise<void> {
  await page.waitForFunction((n) => (window.playground.source.certificate?.steps ?? -1) >= n, count);
}

/** Goes to a state and waits until it is there. */
async function open(address: string, until = 0): Promise<void> {
  await page.goto(`${served.url}/playground.html${address}`);
  await reach(until);
}

async function hash(): Promise<string> {
  return page.evaluate(() => window.playground.source.certificate!.hash);
}

/** Processor time of all web workers of this browser, by Linux' account of its threads. */
function workerSeconds(): number {
  const fields = (path: string): string[] => {
    try {
      return readFileSync(path, 'utf8').replace(/.*\) /s, '').split(' '); // from the third one on
    } catch {
      return []; // it has ended
    }
  };
  const parents = new Map(readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).map((pid) => [pid, fields(`/proc/${pid}/stat`)[1]]));
  const ours = (pid: string | undefined): boolean => pid === String(process.pid) || (pid !== undefined && ours(parents.get(pid)));
  let ticks = 0;
  for (const pid of [...parents.keys()].filter(ours))
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const path = `/proc/${pid}/task/${thread}`;
      if (!existsSync(path) || !readFileSync(`${path}/comm`, 'utf8').startsWith('DedicatedWorker')) continue;
      const stat = fields(`${path}/stat`);
      ticks += Number(stat[11]) + Number(stat[12]);
    }
  return ticks / 100;
}

// Least milliseconds of coreSpeed() on a core of 2.5 GHz (Intel Xeon, 2023), for which the limits below are meant.
const CORE = 53;

/** How fast this computer's core is beside that one, 1 at most: by a chain of multiplications and additions, of which the least time counts. */
async function coreSpeed(): Promise<number> {
  const least = await page.evaluate(() => {
    let least = Infinity;
    for (let k = 0; k < 10; k++) {
      const begin = performance.now();
      let x = 1;
      for (let i = 0; i < 2e7; i++) x = x * 0.999999 + 1e-6;
      if (x > 0) least = Math.min(least, performance.now() - begin);
    }
    return least;
  });
  console.log(`multiplications and additions: ${least.toFixed(1)} ms`);
  return Math.min(CORE / least, 1);
}

/**
 * Milliseconds of the first 240 steps: wall time, times the part of it that the worker had a core for itself (1 on a computer that does nothing
 * else), times the speed of that core.
 */
async function stepTimes(scene: string): Promise<number[]> {
  await page.goto('about:blank'); // ends the workers of a run before
  const speed = await coreSpeed();
  await open(`?scene=${scene}&budget=0&step=240`, 240);
  const times = await page.evaluate(() => window.playground.source.milliseconds);
  const share = Math.min((1000 * workerSeconds()) / times.reduce((sum, t) => sum + t, 0), 1);
  return times.map((t) => speed * share * t);
}

// The work of a step is the same each time, what disturbs it is not: a scene that seems too slow is run again, and the least time of each step counts.
const RUNS = 6;

test.each(['arch', 'brick-wall', 'domino', 'balls-in-box'])('%s: 30 frames per second, none above 200 ms, on one core', async (scene) => {
  let times: number[] = [];
  let [median, worst] = [Infinity, Infinity];
  for (let run = 0; run < RUNS && !(median < 1000 / 30 && worst < 200); run++) {
    const again = await stepTimes(scene);
    times = again.map((t, k) => Math.min(t, times[k] ?? Infinity));
    const sorted = [...times].sort((a, b) => a - b);
    [median, worst] = [sorted[sorted.length >> 1], sorted[sorted.length - 1]];
    console.log(`${scene}: ${times.length} steps, median ${median.toFixed(2)} ms, worst ${worst.toFixed(1)} ms after ${run + 1} of ${RUNS} runs`);
  }
  expect(times.length).toBe(240);
  expect(median).toBeLessThan(1000 / 30);
  expect(worst).toBeLessThan(200);
  const { missed, worst: error } = await page.evaluate(() => window.playground.source.certificate!);
  expect(missed).toBe(0);
  expect(error).toBeGreaterThanOrEqual(0);
  expect(error).toBeLessThan(1e-6); // J; bodies of these scenes have kilojoules
}, 120_000 * RUNS);

test('after 240 steps the bits are those of the computer itself', async () => {
  if (!STATE_HASH) return console.log('VOUSSOIR_STATE_HASH is not set: nothing to compare with');
  for (const scene of ['arch', 'brick-wall', 'domino', 'balls-in-box']) {
    await open(`?scene=${scene}&budget=0&step=240`, 240);
    const native = execFileSync(STATE_HASH, ['240', scene], { encoding: 'utf8' }).trim().split(/\s+/)[1];
    expect([scene, await hash()]).toEqual([scene, native]);
  }
});

test('total download', async () => {
  const files = new Set<string>();
  page.on('request', (request) => files.add(new URL(request.url()).pathname));
  await open('');
  const all = [...files].filter((path) => existsSync(join(VIEWER, 'dist', path)));
  const bytes = all.reduce((sum, path) => sum + gzipSync(readFileSync(join(VIEWER, 'dist', path))).length, 0);
  const alone = gzipSync(readFileSync(PAGE)).length;
  console.log(`${all.length} files, ${(bytes / 1e6).toFixed(3)} MB compressed; in one page ${(alone / 1e6).toFixed(3)} MB`);
  expect(all.some((path) => path.endsWith('.wasm'))).toBe(true);
  expect(bytes).toBeLessThan(1.5e6);
  expect(alone).toBeLessThan(1.5e6);
});

/** Where a body is in the window. */
async function pixelOf(body: number): Promise<{ x: number; y: number }> {
  return page.evaluate((b) => {
    const { app } = window.playground;
    const pose = app.current!.pose;
    const at = app.scene.project(pose[7 * b], pose[7 * b + 1], pose[7 * b + 2])!;
    const { left, top } = document.getElementById('view')!.getBoundingClientRect();
    return { x: at.x + left, y: at.y + top };
  }, body);
}

const poseOf = (body: number): Promise<number[]> =>
  page.evaluate((b) => Array.from(window.playground.app.current!.pose.slice(7 * b, 7 * b + 3)), body);

test('hands: drag, throw, remove, tilt; the link brings the same bits back, in the page without a server, too', async () => {
  await open('?scene=box&set=speed:0', 20);
  const body = await page.evaluate(() => window.playground.app.constants!.bodies.motion.findIndex((m) => m === 0));
  const before = await poseOf(body);
  const { x, y } = await pixelOf(body);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 120, { steps: 4 });
  await page.waitForFunction(([b, z]) => window.playground.app.current!.pose[7 * b + 2] > z, [body, before[2] + 0.02] as const);
  await page.mouse.up();
  expect(await page.evaluate(() => window.playground.app.scene.controls.enabled)).toBe(true);

  const bodies = await page.evaluate(() => window.playground.app.constants!.bodies.count);
  await page.getByText('Throw', { exact: true }).click();
  const view = (await page.locator('#view').boundingBox())!;
  await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
  await page.waitForFunction((n) => window.playground.app.constants!.bodies.count === n, bodies + 1);

  await page.locator('#tilt-x').fill('10');
  await page.waitForFunction(() => window.playground.source.actions.some(({ action }) => action.kind === 'gravity'));
  await page.getByText('Remove', { exact: true }).click();
  const spot = await pixelOf(body);
  await page.mouse.click(spot.x, spot.y);
  await page.waitForFunction((b) => Number.isNaN(window.playground.app.current!.pose[7 * b]), body);
  await reach((await steps()) + 30);

  const link = new URL(await page.evaluate(() => window.playground.share()));
  await page.waitForFunction(() => !window.playground.source.running);
  const [count, bits] = [await steps(), await hash()];
  // The link is written at the step that stands still.
  expect(link.hash).toContain(`step=${count}&hash=${bits}`);
  expect(link.hash).toMatch(/do=.*p.*r.*t.*g.*x/);

  for (const address of [link.href, `file://${PAGE}${link.hash}`]) {
    await page.goto('about:blank');
    await page.goto(address);
    await reach(count);
    expect([await steps(), await hash()]).toEqual([count, bits]);
    await expect.poll(() => page.locator('#toast').textContent()).toContain('the same bits');
    // The past is there as well, from before the ball and with the body that was removed.
    await page.locator('#scrub').fill('0');
    await expect.poll(async () => (await poseOf(body)).every(Number.isFinite)).toBe(true);
  }
});

test('sliders restart the scene; wrong values are refused in words', async () => {
  await open('?scene=arch', 5);
  const stones = (): Promise<number> => page.evaluate(() => window.playground.app.constants!.bodies.motion.filter((m) => m === 0).length);
  const before = await stones();
  await page.locator('input[name=stones]').fill(String(before + 4));
  await page.locator('input[name=stones]').press('Tab');
  await expect.poll(stones).toBe(before + 4);
  await page.locator('input[name=radius]').fill('-1');
  await page.locator('input[name=radius]').press('Tab');
  await page.waitForSelector('#message:not([hidden])');
  expect(await page.locator('#message').textContent()).toContain('radius');
  expect(await stones()).toBe(before + 4); // the old one stays
});

test('runs, pauses, steps, goes back, continues; a time budget is counted', async () => {
  await open('?scene=balls-in-box&budget=0.0005', 30);
  await page.locator('#play').click();
  await page.waitForFunction(() => !window.playground.source.running);
  await page.waitForTimeout(300);
  const count = await steps();
  await page.waitForTimeout(200);
  expect(await steps()).toBe(count);
  await page.locator('#step').click();
  await expect.poll(steps).toBe(count + 1);
  await page.locator('#scrub').fill('1');
  expect(await page.evaluate(() => window.playground.app.clock.locate().index)).toBe(1);
  await page.locator('#last').click();
  await page.locator('#play').click();
  await reach(count + 200);
  expect((await page.evaluate(() => window.playground.source.certificate!)).late).toBeGreaterThan(0);
  await page.locator('#restart').click();
  await page.waitForFunction((n) => window.playground.source.certificate!.steps < n, count);
});

const OWN = JSON.stringify({
  voussoir: 1,
  name: 'two spheres',
  bodies: [0, 1].map((k) => ({ name: `s${k}`, shape: { kind: 'sphere', radius: 0.1 }, density: 1000, position: [k, 0, 1] })),
});

test('a pasted scene, a wrong one, and the link to it', async () => {
  await open('', 2);
  await page.locator('#paste').click();
  await page.locator('#json').fill('{ "voussoir": 1, "bodis": [] }');
  await page.locator('#own-run').click();
  await page.waitForSelector('#own-error:not([hidden])');
  expect(await page.locator('#own-error').textContent()).toContain('bodis');
  await page.locator('#json').fill(OWN);
  await page.locator('#own-run').click();
  await page.waitForFunction(() => window.playground.app.constants?.title === 'two spheres');
  await reach(10);
  const link = await page.evaluate(() => window.playground.share());
  await page.waitForFunction(() => !window.playground.source.running);
  const [count, bits] = [await steps(), await hash()];
  await page.goto('about:blank');
  await page.goto(link);
  await reach(count);
  expect(await hash()).toBe(bits);
});

test('the scene that the page offers as a beginning is a good one', async () => {
  await open('', 2);
  await page.locator('#paste').click();
  await page.locator('#own-run').click();
  await page.waitForFunction(() => window.playground.setup.text !== null);
  await reach(120);
  expect((await page.evaluate(() => window.playground.source.certificate!)).missed).toBe(0);
});

test.each(['light', 'dark'] as const)('a phone, %s: all within 390 pixels, touch throws a ball, accessible', async (theme) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: theme });
  const phone = await context.newPage();
  await phone.goto(`${served.url}/playground.html?theme=${theme}`);
  await phone.waitForFunction(() => (window.playground.source.certificate?.steps ?? 0) > 10);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const outside = await phone.evaluate(() =>
    [...document.querySelectorAll('header button, #bar *, #transport *, aside select')]
      .filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().right > 390.5)
      .map((e) => e.id || e.tagName),
  );
  expect(outside).toEqual([]);
  const bodies = await phone.evaluate(() => window.playground.app.constants!.bodies.count);
  await phone.getByText('Throw', { exact: true }).tap();
  const view = (await phone.locator('#view').boundingBox())!;
  await phone.touchscreen.tap(view.x + view.width / 2, view.y + view.height / 2);
  await phone.waitForFunction((n) => window.playground.app.constants!.bodies.count === n, bodies + 1);
  await phone.evaluate(() => window.playground.source.pause());
  await phone.evaluate(axe.source); // not as a script of the page, which its policy refuses
  const findings = await phone.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
    return violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`);
  });
  expect(findings).toEqual([]);
  await context.close();
});

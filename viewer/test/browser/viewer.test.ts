// The built viewer in a real browser, on real trajectories; numbers are compared with what h5py reads.
import { readFileSync, truncateSync, copyFileSync, unlinkSync, existsSync } from 'node:fs';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findCommand, h5py, OUT, scenes } from '../unit/files';
import { launch, newPage, serve, settled, VIEWER, type Served } from './harness';

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];
let hosts: Set<string>;
let allowed: Set<string>;

beforeAll(async () => {
  for (const make of Object.values(scenes)) make();
  served = await serve(OUT);
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
  served.server.close();
});

beforeEach(async () => {
  errors = [];
  hosts = new Set();
  allowed = new Set([served.url]);
  page = await newPage(browser, errors);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http')) hosts.add(url.origin);
  });
});

afterEach(async () => {
  await page.close();
  expect(errors).toEqual([]);
  expect([...hosts].filter((host) => !allowed.has(host))).toEqual([]); // nothing from elsewhere
});

async function open(path: string, more = ''): Promise<void> {
  await page.goto(`${served.url}/?file=/data/${basename(path)}${more}`);
  await settled(page);
}

/** Numbers of a row of the table, with all digits. */
async function row(label: string): Promise<number[]> {
  const title = await page.locator('#numbers tr', { has: page.locator(`th:text-is("${label}")`) }).locator('td').getAttribute('title');
  return (title ?? '').split(/\s+/).map(Number);
}

/** `voussoir view`, and where it listens. */
async function view(path: string): Promise<{ url: string; server: ChildProcess }> {
  const options = ['view', path, '--viewer', join(VIEWER, 'dist'), '--no-open'];
  const server = spawn(findCommand(), options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((done) => server.stdout.on('data', (text: Buffer) => done(/http:\S+/.exec(String(text))![0])));
  allowed.add(new URL(url).origin);
  return { url, server };
}

async function picture(): Promise<Buffer> {
  await settled(page);
  return page.locator('#view').screenshot();
}

async function scrub(frame: number): Promise<void> {
  await page.locator('#scrub').fill(String(frame));
  await settled(page);
}

/** Part of the picture's pixels that differ. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  return page.evaluate(
    async ([x, y]) => {
      const pixels = async (text: string): Promise<Uint8ClampedArray> => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.width;
        canvas.height = image.height;
        const c = canvas.getContext('2d', { willReadFrequently: true })!;
        c.drawImage(image, 0, 0);
        return c.getImageData(0, 0, image.width, image.height).data;
      };
      const [p, q] = [await pixels(x), await pixels(y)];
      let different = 0;
      for (let k = 0; k < p.length; k += 4)
        if (Math.abs(p[k] - q[k]) + Math.abs(p[k + 1] - q[k + 1]) + Math.abs(p[k + 2] - q[k + 2]) > 24) different++;
      return different / (p.length / 4);
    },
    [a.toString('base64'), b.toString('base64')] as const,
  );
}

/** Where a point is in the window. */
async function at(x: number, y: number, z: number): Promise<[number, number]> {
  const box = (await page.locator('#view').boundingBox())!;
  const p = await page.evaluate((v) => window.voussoir.scene.project(v[0], v[1], v[2]), [x, y, z] as const);
  return [box.x + p!.x, box.y + p!.y];
}

test('the arch: scrub, click a stone, read its numbers as h5py reads them', async () => {
  const path = scenes.arch();
  await open(path);
  expect(await page.textContent('#title')).toBe('arch');
  expect(await page.textContent('#counter')).toBe(`frame 0 of ${h5py<number>(path, "len(f['time']) - 1")}`);
  await scrub(37);
  const [time] = h5py<number[]>(path, "f['time'][37:38]");
  expect(await page.textContent('#clock')).toBe(`${time.toFixed(3)} s`);

  const pose = h5py<number[]>(path, "f['state/pose'][37, 5]");
  await page.mouse.click(...(await at(pose[0], pose[1], pose[2])));
  await page.waitForSelector('#numbers:not([hidden])');
  expect(await page.textContent('#what')).toMatch(/5$/);
  expect(await row('position / m')).toEqual(pose.slice(0, 3));
  expect(await row('velocity / m/s')).toEqual(h5py(path, "f['state/velocity'][37, 5, :3]"));
  expect(await row('mass / kg')).toEqual([h5py(path, "float(f['bodies/mass'][5])")]);
});

test('charts of the selected body: shown with it, gone without, the number is that of the file', async () => {
  const path = scenes.arch();
  await open(path);
  expect(await page.isVisible('#tracks')).toBe(false);
  await page.locator('#pick-body').fill('5');
  await page.locator('#pick-body').press('Enter');
  await page.waitForSelector('#tracks:not([hidden])');
  await scrub(37);
  expect(await page.locator('#tracks figcaption').allTextContents()).toHaveLength(2);
  const speed = h5py<number>(path, "float(np.linalg.norm(f['state/velocity'][37, 5, :3]))");
  const shown = (await page.locator('#tracks output').last().textContent())!;
  const [mantissa, power] = shown.split('·10');
  const digits: Record<string, string> = Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((c, k) => [c, String(k)]));
  const exponent = power ? Number([...power].map((c) => (c === '⁻' ? '-' : digits[c])).join('')) : 0;
  expect(Math.abs(Number(mantissa) * 10 ** exponent - speed)).toBeLessThan(5e-3 * speed); // three digits
  // A picture: lines are drawn, not only axes.
  const blue = await page.locator('#tracks canvas').first().evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 128 && data[k + 2] > data[k] + 60) count++;
    return count;
  });
  expect(blue).toBeGreaterThan(50);
  await page.locator('#unselect').click();
  await page.waitForSelector('#tracks', { state: 'hidden' });
});

test('a narrow window: nothing sticks out', async () => {
  await page.setViewportSize({ width: 500, height: 900 });
  await open(scenes.arch());
  const out = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    controls: Math.max(...[...document.querySelectorAll('#transport > *')].map((e) => e.getBoundingClientRect().right)),
  }));
  expect(out.page).toBeLessThanOrEqual(500);
  expect(out.controls).toBeLessThanOrEqual(500);
});

test.each(['arch', 'drum'] as const)('the %s: click a contact point, its force is that of the file', async (scene) => {
  const path = scenes[scene]();
  await open(path, '&points=1');
  await scrub(60);
  const [first, last] = h5py<number[]>(path, "f['contacts/offset'][60:62]");
  const points = h5py<number[][]>(path, `f['contacts/point'][${first}:${last}]`);
  const impulses = h5py<number[][]>(path, `f['contacts/impulse'][${first}:${last}]`);
  // The nearest to the camera, so that nothing is in front of it, of those that carry something.
  const camera = await page.evaluate(() => window.voussoir.scene.camera.position.toArray());
  const distance = points.map((p, k) => (Math.hypot(...impulses[k]) > 0 ? Math.hypot(...p.map((x, i) => x - camera[i])) : Infinity));
  const k = distance.indexOf(Math.min(...distance));
  await page.mouse.click(...(await at(points[k][0], points[k][1], points[k][2])));
  await page.waitForSelector('#numbers:not([hidden])');
  expect(await page.textContent('#what')).toBe(`Contact ${k} of ${last - first}`);
  const force = h5py<number[]>(path, `f['contacts/impulse'][${first + k}] * (1 / f['meta/step'][0])`);
  expect(await row('force / N')).toEqual(force);
  const normal = h5py<number>(path, `float(f['contacts/impulse'][${first + k}] @ f['contacts/normal'][${first + k}] / f['meta/step'][0])`);
  // A product of three terms in another order.
  expect(Math.abs((await row('normal / N'))[0] - normal)).toBeLessThan(1e-12 * Math.abs(normal));
  if (h5py<boolean>(path, "'contacts/friction' in f"))
    expect(await row('friction μ')).toEqual([h5py(path, `float(f['contacts/friction'][${first + k}])`)]);
  expect(await row('gap / m')).toEqual([h5py(path, `float(f['contacts/gap'][${first + k}])`)]);
});

test('force chains appear and disappear; the weight stands on the floor', async () => {
  const path = scenes.arch();
  await open(path);
  await scrub(60);
  const before = await picture();
  await page.keyboard.press('3');
  expect(await page.isChecked('#chains')).toBe(true);
  const chains = await picture();
  expect(await difference(before, chains)).toBeGreaterThan(0.02);
  expect(await page.locator('#legends canvas').getAttribute('aria-label')).toMatch(/^Force between bodies \/ N: 0 to /);
  await page.keyboard.press('3');
  expect(await difference(before, await picture())).toBeLessThan(0.001);

  // What the viewer draws from the floor on stones carries their weight.
  const drawn = await page.evaluate(() => {
    const { current, constants } = window.voussoir;
    let force = 0;
    for (let k = 0; k < current!.contacts.count; k++)
      if (current!.contacts.body[2 * k] === -1) force += current!.contacts.impulse[3 * k + 2] / constants!.step;
      else if (current!.contacts.body[2 * k + 1] === -1) force -= current!.contacts.impulse[3 * k + 2] / constants!.step;
    return force;
  });
  const weight = h5py<number>(path, "float(f['bodies/mass'][:].sum() * -f['meta/gravity'][2])");
  expect(Math.abs(drawn / weight - 1)).toBeLessThan(1e-3); // it stands, up to the tolerance of the step
});

test('the line of thrust lies in the stones and in front of them; interfaces have their pressure', async () => {
  const path = scenes.standing();
  await open(path);
  const before = await picture();
  await page.keyboard.press('6');
  expect(await page.isChecked('#thrust')).toBe(true);
  const line = await picture();
  expect(await difference(before, line)).toBeGreaterThan(0.02);
  expect(await page.locator('#legends canvas').getAttribute('aria-label')).toMatch(/^Force between bodies \/ N: 0 to /);
  // Centres of pressure, as h5py finds them, are drawn in the colours of the line.
  const centres = h5py<number[][]>(
    path,
    `[(lambda w: (w @ f['contacts/point'][rows] / w.sum()).tolist())((f['contacts/impulse'][rows] * f['contacts/normal'][rows]).sum(1))
      for rows in [np.all(f['contacts/body'][:] == pair, 1) for pair in np.unique(f['contacts/body'][:], axis=0)]]`,
  );
  expect(centres.length).toBe(12);
  const red = await page.evaluate((points) => {
    const { scene } = window.voussoir;
    const view = document.getElementById('view') as HTMLCanvasElement;
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [view.width, view.height];
    const c = copy.getContext('2d', { willReadFrequently: true })!;
    c.drawImage(view, 0, 0);
    const ratio = view.width / view.clientWidth;
    return points.filter((p) => {
      const at = scene.project(p[0], p[1], p[2])!;
      const [r, g] = c.getImageData(Math.round(ratio * at.x), Math.round(ratio * at.y), 1, 1).data;
      return r > 60 && g < 0.6 * r; // from orange to dark purple; stones are pale
    }).length;
  }, centres);
  expect(red).toBe(12);
  await page.keyboard.press('6');
  expect(await difference(before, await picture())).toBeLessThan(0.001);

  await page.keyboard.press('7');
  expect(await page.isChecked('#pressure')).toBe(true);
  expect(await difference(before, await picture())).toBeGreaterThan(0.02);
  const most = h5py<number>(
    path,
    "max((f['contacts/impulse'][k:k + 4] * f['contacts/normal'][k:k + 4]).sum() for k in range(0, len(f['contacts/gap']), 4)) / f['meta/step'][0]",
  );
  const shown = (await page.locator('#legends canvas').getAttribute('aria-label'))!;
  expect(shown).toMatch(/^Mean interface pressure \/ kPa: 0 to /);
  expect(Number(shown.split(' ').pop()) / (most / 0.12 / 1000)).toBeCloseTo(1, 2); // stones of 0.3 x 0.4 m
});

test('bodies are drawn where the file says', async () => {
  const path = scenes.drum();
  await open(path, '&colour=motion');
  const last = h5py<number>(path, "len(f['time']) - 1");
  await scrub(last);
  // The middle of a ball that nothing hides is not background.
  const pose = h5py<number[][]>(path, "f['state/pose'][-1, :, :3]");
  const seen = await page.evaluate((points) => {
    const app = window.voussoir;
    return points.map((p) => {
      const s = app.scene.project(p[0], p[1], p[2])!;
      return app.scene.bodies!.pick(app.scene.rayAt(s.x, s.y));
    });
  }, pose);
  const own = seen.filter((body, k) => body === k).length;
  expect(own).toBeGreaterThan(pose.length / 4); // the others hide behind these
});

test('orthographic: no perspective, the same size at the point looked at, and a click finds what one sees', async () => {
  const path = scenes.arch();
  await open(path);
  const before = await picture();
  /** Pixels of a step of 1 m to the side, before, at and behind the point looked at. */
  const seen = (): Promise<{ near: number; middle: number; far: number }> =>
    page.evaluate(() => {
      const { scene } = window.voussoir;
      const { target } = scene.controls;
      const toViewer = scene.camera.position.clone().sub(target).normalize();
      const side = scene.camera.up.clone().cross(toViewer).normalize();
      const pixels = (depth: number): number => {
        const from = target.clone().addScaledVector(toViewer, depth);
        const to = from.clone().add(side);
        return Math.abs(scene.project(to.x, to.y, to.z)!.x - scene.project(from.x, from.y, from.z)!.x);
      };
      return { near: pixels(1), middle: pixels(0), far: pixels(-1) };
    });
  const perspective = await seen();
  expect(perspective.near).toBeGreaterThan(1.2 * perspective.far);
  await page.keyboard.press('4');
  expect(await page.isChecked('#orthographic')).toBe(true);
  expect(await difference(before, await picture())).toBeGreaterThan(0.01);
  const flat = await seen();
  for (const length of [flat.near, flat.middle, flat.far]) expect(Math.abs(length - perspective.middle)).toBeLessThan(0.01); // pixels
  await page.keyboard.press('4');
  expect(await difference(before, await picture())).toBeLessThan(0.001);
  await page.keyboard.press('4');
  await settled(page);
  const pose = h5py<number[]>(path, "f['state/pose'][0, 5]");
  await page.mouse.click(...(await at(pose[0], pose[1], pose[2])));
  await page.waitForFunction(() => window.voussoir.selection?.index === 5);
});

test('a section removes what lies in front of it, and a click reaches what lies behind', async () => {
  const path = scenes.drum();
  await open(path, '&azimuth=-90&elevation=10');
  const whole = await picture();
  /** Bodies that clicks all over the picture would meet. */
  const met = (): Promise<number[]> =>
    page.evaluate(() => {
      const { scene } = window.voussoir;
      const { clientWidth, clientHeight } = scene.renderer.domElement;
      const found = new Set<number>();
      for (let x = 5; x < clientWidth; x += 10)
        for (let y = 5; y < clientHeight; y += 10) found.add(scene.bodies!.pick(scene.rayAt(x, y)) ?? -1);
      return [...found].filter((body) => body >= 0);
    });
  const before = await met();
  await page.selectOption('#section', 'y');
  expect(await difference(whole, await picture())).toBeGreaterThan(0.03);
  const { cut, fronts } = await page.evaluate(() => {
    const { scene, shown, current, constants } = window.voussoir;
    const box = scene.bounds.clone();
    return {
      cut: shown.cut,
      fronts: Array.from({ length: constants!.bodies.count }, (_, b) => scene.bodies!.boundsOf(b, current!.pose, box).max.y),
    };
  });
  const removed = (body: number): boolean => fronts[body] < cut; // seen along y
  expect(before.some(removed)).toBe(true);
  const after = await met();
  expect(after.filter(removed)).toEqual([]);
  expect(after.some((body) => !before.includes(body))).toBe(true); // some were hidden
  const end = (await page.locator('#cut').getAttribute('min'))!;
  await page.locator('#cut').fill(end);
  await settled(page);
  expect(await met()).toEqual(before); // the plane is in front of everything
  for (const axis of ['z', '']) {
    await page.keyboard.press('5');
    expect(await page.inputValue('#section')).toBe(axis);
  }
  expect(await page.isHidden('#cut')).toBe(true);
  expect(await difference(whole, await picture())).toBeLessThan(0.001);
});

test('plays, slows down, pauses exactly on a frame', async () => {
  await open(scenes.drum());
  await page.keyboard.press(' ');
  await page.waitForFunction(() => window.voussoir.clock.locate().index >= 5);
  await page.keyboard.press(' ');
  await settled(page);
  const { time, exact } = await page.evaluate(() => {
    const { clock } = window.voussoir;
    return { time: clock.time, exact: clock.times[clock.locate().index] };
  });
  expect(time).toBe(exact);
  await page.keyboard.press('End');
  await settled(page);
  expect(await page.textContent('#counter')).toMatch(/^frame (\d+) of \1$/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await settled(page);
  const at = await page.evaluate(() => window.voussoir.clock.frames - 1 - window.voussoir.clock.locate().index);
  expect(at).toBe(11);
});

test('four-bar: reactions of joints are those of the file', async () => {
  const path = scenes.fourBar();
  await open(path);
  await scrub(100);
  await page.keyboard.press('n');
  await page.waitForSelector('#numbers:not([hidden])');
  const joints = h5py<number[][]>(path, "f['joints/body'][:]");
  const reaction = h5py<number[][]>(path, "f['joints/reaction'][100]");
  const of = joints.map((b, j) => (b.includes(0) ? j : -1)).filter((j) => j >= 0);
  expect(of.length).toBeGreaterThan(1);
  const cells = page.locator('#numbers tr', { has: page.locator('th:text-matches("^joint ")') }).locator('td');
  expect(await cells.count()).toBe(of.length);
  for (const [k, j] of of.entries()) {
    const force = Number((await cells.nth(k).getAttribute('title'))!.split(/\s+/)[0]);
    // hypot() rounds once more.
    expect(Math.abs(force - Math.hypot(...reaction[j].slice(0, 3)))).toBeLessThan(1e-12 * (1 + force));
  }
});

/** What h5py says of the last frame of three-point bending; the node is the upper corner in front, which nothing hides. */
const BENDING = `(lambda i, x, s: {'node': i, 'position': x[i].tolist(), 'middle': x.mean(0).tolist(),
  'moved': np.linalg.norm(x - f['flexible/rest'][:], axis=1).max(), 'stressAtNode': f['flexible/von_mises'][3, i],
  'stress': f['flexible/von_mises'][:].max(1).tolist(), 'pressure': f['flexible/pressure'][3].max(),
  'sides': f['contacts/body'][s].tolist(), 'points': f['contacts/point'][s].tolist(),
  'loaded': np.any(f['contacts/impulse'][s] != 0, axis=1).tolist()})(
  int(np.argmax(f['flexible/rest'][:] @ [-1, -1, 1])), f['flexible/position'][3], slice(f['contacts/offset'][3], None))`;

test('three-point bending: the beam is drawn deformed, coloured, and its numbers are those of the file', async () => {
  const path = scenes.bending();
  const file = h5py<{
    node: number;
    position: number[];
    middle: number[];
    moved: number;
    stressAtNode: number;
    stress: number[];
    pressure: number;
    sides: number[][];
    points: number[][];
    loaded: boolean[];
  }>(path, BENDING);
  await open(path, '&colour=stress');
  expect(await page.textContent('#subtitle')).toMatch(/1 flexible solid \(760 nodes\)/);
  const legend = (): Promise<string | null> => page.locator('#legends canvas').first().getAttribute('aria-label');
  expect(await legend()).toBe(`Von Mises stress / MPa: 0 to ${(Math.max(...file.stress) / 1e6).toPrecision(3)}`);
  const straight = await picture();
  await scrub(3);
  const bent = await picture();
  expect(await difference(straight, bent)).toBeGreaterThan(0.05);

  const near = file.position.map((x, k) => x + 0.02 * (file.middle[k] - x)); // not beside the silhouette
  await page.mouse.click(...(await at(near[0], near[1], near[2])));
  await page.waitForSelector('#numbers:not([hidden])');
  expect(await page.textContent('#what')).toBe('beam');
  expect(await row('node')).toEqual([file.node]);
  expect(await row('position / m')).toEqual(file.position);
  expect(await row('von Mises / Pa')).toEqual([file.stressAtNode]);
  expect(await row('most von Mises / Pa')).toEqual([file.stress[3]]);
  expect(await row('most pressure / Pa')).toEqual([file.pressure]);
  // hypot() rounds otherwise than a root of squares.
  expect(Math.abs((await row('most displacement / m'))[0] - file.moved)).toBeLessThan(1e-14);
  expect(await row('contacts')).toEqual([file.sides.flat().filter((side) => side === -3).length]);
  await page.keyboard.press('Escape');

  for (const [colour, label] of [
    ['pressure', 'Contact pressure / kPa'],
    ['displacement', 'Displacement / m'],
    ['speed', 'Speed / m/s'],
  ] as const) {
    await page.selectOption('#colour', colour);
    expect(await difference(bent, await picture())).toBeGreaterThan(0.01);
    expect(await legend()).toContain(label);
  }

  // Contacts with the punch are drawn where it is now: it went down by 60 mm since the file's points.
  await page.keyboard.press('1');
  await settled(page);
  const { points, sides, loaded } = file;
  const ofPunch = points.map((_, k) => k).filter((k) => loaded[k] && sides[k][0] === 0 && sides[k][1] === -3);
  const k = ofPunch.reduce((best, i) => (points[i][1] < points[best][1] ? i : best)); // the first in front
  await page.mouse.click(...(await at(points[k][0], points[k][1], points[k][2] - 0.06)));
  await page.waitForFunction((text) => document.getElementById('what')!.textContent === text, `Contact ${k} of ${points.length}`);
  expect(await page.locator('#numbers td').nth(1).textContent()).toBe('beam');
  expect(await row('point / m')).toEqual(points[k]);
});

test('follows a body', async () => {
  await open(scenes.drum(), '&body=20');
  await page.waitForSelector('#numbers:not([hidden])');
  await page.click('#follow');
  await settled(page);
  const offset = (): Promise<number[]> =>
    page.evaluate(() => {
      const { scene, current } = window.voussoir;
      return scene.controls.target.toArray().map((x, k) => x - current!.pose[7 * 20 + k]);
    });
  const before = await offset();
  await page.locator('#scrub').fill('60');
  await settled(page);
  const after = await offset();
  before.forEach((x, k) => expect(Math.abs(x - after[k])).toBeLessThan(1e-9));
});

test('saves a picture with its colour bar, and a film', async () => {
  await open(scenes.arch(), '&colour=speed&chains=1');
  const [png] = await Promise.all([page.waitForEvent('download'), page.click('#screenshot')]);
  expect(png.suggestedFilename()).toMatch(/^arch-0\.000s\.png$/);
  const image = readFileSync(await png.path());
  expect(image.subarray(1, 4).toString()).toBe('PNG');
  expect(image.length).toBeGreaterThan(20_000);
  await page.selectOption('#speed', '0.5');
  const [film] = await Promise.all([page.waitForEvent('download'), page.click('#record')]);
  expect(film.suggestedFilename()).toBe('arch.webm');
  const video = readFileSync(await film.path());
  expect(video.readUInt32BE(0)).toBe(0x1a45dfa3); // EBML
  expect(video.length).toBeGreaterThan(10_000);
});

test('a halted viewer draws each picture of a film once', async () => {
  await open(scenes.arch(), '&bare=1');
  const drawn = await page.evaluate(async () => {
    const app = window.voussoir;
    app.halt();
    const { render } = app.scene.renderer.info;
    const before = render.frame;
    for (let k = 0; k < 5; k++) {
      await app.pictureAt(app.clock.times[0] + 0.01 * k);
      await new Promise((done) => requestAnimationFrame(done)); // the loop would draw now
    }
    return render.frame - before;
  });
  expect(drawn).toBe(5);
});

test('a second file by dropping; broken ones are refused with a reason, and the old one stays', async () => {
  await open(scenes.arch());
  const drop = (name: string, path: string): Promise<void> =>
    page.evaluate(
      ([file, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], file));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
      },
      [name, readFileSync(path).toString('base64')] as const,
    );
  await drop('notes.txt', join(VIEWER, 'package.json'));
  await page.waitForSelector('#message:not([hidden])');
  expect(await page.textContent('#message span')).toMatch(/notes\.txt is not an HDF5 file/);
  expect(await page.textContent('#title')).toBe('arch');

  const cut = join(OUT, 'cut.h5');
  copyFileSync(scenes.arch(), cut);
  truncateSync(cut, 3000);
  await page.click('#message button');
  await drop('cut.h5', cut);
  await page.waitForSelector('#message:not([hidden])');
  expect(await page.textContent('#message span')).toMatch(/damaged|missing/);
  await scrub(10); // the arch still answers

  await drop('four-bar.h5', scenes.fourBar());
  await page.waitForFunction(() => window.voussoir.name === 'four-bar.h5');
  expect(await page.textContent('#title')).toBe('four-bar');
  expect(await page.isHidden('#message')).toBe(true);
});

test('an address without a file says so', async () => {
  await page.goto(`${served.url}/?file=/data/nowhere.h5`);
  await page.waitForSelector('#message:not([hidden])');
  expect(await page.textContent('#message span')).toMatch(/nowhere\.h5 cannot be fetched: the server says 404/);
  errors = errors.filter((text) => !/404/.test(text)); // the browser's own
});

test('voussoir view follows a running simulation, however long a frame takes to read', async () => {
  const path = join(OUT, 'live.h5');
  if (existsSync(path)) unlinkSync(path);
  const run = spawn(findCommand(), ['run', 'balls-in-box', '--set', 'count=60', '--duration', '600', '-o', path, '--quiet'], { stdio: 'ignore' });
  const ended = new Promise((done) => run.on('exit', done));
  try {
    await expect.poll(() => existsSync(path) && readFileSync(path).length > 200_000).toBe(true);
    const { url, server } = await view(path);
    run.on('exit', () => server.kill());
    await page.goto(url);
    await settled(page);
    const frames = (): Promise<number> => page.evaluate(() => window.voussoir.clock.frames);
    const first = await frames();
    expect(await page.isVisible('#live')).toBe(true);
    // A frame takes longer than the time between two looks at the file: there is always a newer one before it is here.
    await page.evaluate(() => {
      const reader = window.voussoir.reader as unknown as { fetch: (index: number) => Promise<unknown> };
      const fetch = reader.fetch.bind(reader);
      reader.fetch = async (index) => {
        await new Promise((done) => setTimeout(done, 2500));
        return fetch(index);
      };
    });
    await page.keyboard.press('End');
    await page.waitForFunction((n) => window.voussoir.clock.frames > n + 20, first);
    await page.waitForFunction((n) => window.voussoir.current!.index > n, first); // it goes along at the end
    run.kill('SIGKILL');
    await ended;
    // Killed: what it had written can still be opened and read.
    await open(path);
    expect(await frames()).toBeGreaterThan(first);
  } finally {
    run.kill('SIGKILL');
  }
});

test('the self-contained page of the command opens without a server', async () => {
  const path = join(OUT, 'arch.html');
  execFileSync(findCommand(), ['view', scenes.arch(), '--viewer', join(VIEWER, 'dist'), '--standalone', path]);
  await page.context().setOffline(true);
  await page.goto(`file://${path}`);
  await settled(page);
  expect(await page.textContent('#title')).toBe('arch');
  expect(await page.textContent('#subtitle')).toMatch(/^arch\.h5 · 11 bodies/);
  await page.context().setOffline(false);
});

test('pages talk to their own server only', async () => {
  for (const name of ['index.html', 'standalone.html']) {
    await page.goto(`${served.url}/${name}`);
    const forbidden = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
          fetch('http://other.example/').then(
            () => resolve('answered'),
            () => setTimeout(() => resolve('not reached'), 1000),
          );
        }),
    );
    expect(forbidden).toBe('connect-src');
  }
  errors = errors.filter((text) => !/other\.example|Content Security Policy/.test(text));
});

// Its policy for content forbids all that the viewer does not need; what is forbidden ends up in `errors`.
test('voussoir view serves it all to who knows the address', async () => {
  const { url, server } = await view(scenes.fourBar());
  try {
    expect((await page.goto(new URL('/', url).href))!.status()).toBe(403);
    errors = errors.filter((text) => !/403/.test(text)); // the browser's own
    const answer = await page.goto(url);
    expect(answer!.headers()['content-security-policy']).toContain("default-src 'none'");
    await settled(page);
    expect(await page.textContent('#title')).toBe('four-bar');
    await scrub(100);
    const [png] = await Promise.all([page.waitForEvent('download'), page.click('#screenshot')]);
    expect(readFileSync(await png.path()).length).toBeGreaterThan(10_000);
    const [film] = await Promise.all([page.waitForEvent('download'), page.click('#record')]);
    expect(readFileSync(await film.path()).length).toBeGreaterThan(1000);
    await page.click('#help');
    await page.click('#keys button');
    expect(await page.isHidden('#keys')).toBe(true);
  } finally {
    server.kill();
  }
});

test.each(['light', 'dark'] as const)('accessible without serious findings, %s', async (theme) => {
  await open(scenes.arch(), `&theme=${theme}&points=1&body=3`);
  await page.waitForSelector('#numbers:not([hidden])');
  await page.evaluate(axe.source); // not as a script of the page, which its policy refuses
  const found = await page.evaluate(async () => {
    const result = await (window as unknown as { axe: typeof axe }).axe.run();
    return result.violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
  });
  expect(found).toEqual([]);
});

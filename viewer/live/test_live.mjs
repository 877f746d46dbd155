// Tests of the WebAssembly module in Node:  node test_live.mjs FOLDER [HASH-OF-ARCH-AFTER-60-STEPS]
// FOLDER has voussoir.mjs and voussoir.wasm. The module is made for pages and workers: Node looks like a worker here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, expected] = process.argv.slice(2);
globalThis.self = globalThis;
globalThis.importScripts = () => {};
globalThis.location ??= { href: pathToFileURL(resolve(folder)).href + '/' };
const { default: create } = await import(pathToFileURL(resolve(folder, 'voussoir.mjs')).href);
const wasm = await create({ wasmBinary: readFileSync(resolve(folder, 'voussoir.wasm')) });
const text = (pointer) => wasm.UTF8ToString(pointer);
const load = wasm.cwrap('live_load', 'number', ['string', 'string', 'number']);
const loadText = wasm.cwrap('live_load_text', 'number', ['string', 'string', 'number']);
const doubles = (pointer, count) => new Float64Array(wasm.HEAPF64.buffer, pointer, count).slice();
const integers = (pointer, count) => new Int32Array(wasm.HEAP32.buffer, pointer, count).slice();
let passed = 0;
function test(name, body) {
  body();
  passed++;
  console.log(`ok ${name}`);
}

test('named scenes have names, descriptions and parameters', () => {
  const names = [];
  for (let k = 0; k < wasm._live_scene_count(); k++) {
    names.push(text(wasm._live_scene_name(k)));
    assert.ok(text(wasm._live_scene_description(k)).length > 10);
  }
  assert.ok(names.includes('arch') && names.length > 20);
  const arch = names.indexOf('arch');
  assert.ok(wasm._live_scene_parameter_count(arch) > 0);
  assert.ok(text(wasm._live_scene_parameter_name(arch, 0)).length > 0);
});

test('an arch stands, its weight reaches the ground, its certificate holds', () => {
  const l = load('arch', '', 0);
  assert.notEqual(l, 0);
  for (let k = 0; k < 60; k++) assert.equal(wasm._live_step(l), 0);
  if (expected) assert.equal(text(wasm._live_hash(l)), expected);
  const number = doubles(wasm._live_numbers(l), 26);
  assert.equal(number[0], 60);
  assert.ok(Math.abs(number[1] - 60 * number[2]) < 1e-12);
  assert.equal(number[6], 0, 'converged');
  assert.equal(number[18], 0, 'no step missed the tolerance');
  assert.ok(number[9] <= 1e-8 * number[15], 'energy error in J against the potential energy');
  const bodies = wasm._live_body_count(l);
  const mass = doubles(wasm._live_body_mass(l), bodies);
  const count = wasm._live_contact_count(l);
  const pair = integers(wasm._live_contact_body(l), 2 * count);
  const motion = integers(wasm._live_body_motion(l), bodies);
  const impulse = doubles(wasm._live_contact_impulse(l), 3 * count);
  const fixed = (row) => row === -1 || motion[row] !== 0;
  let up = 0;
  for (let k = 0; k < count; k++) {
    if (fixed(pair[2 * k])) up += impulse[3 * k + 2];
    else if (fixed(pair[2 * k + 1])) up -= impulse[3 * k + 2];
  }
  const weight = mass.reduce((sum, m) => sum + m, 0) * 9.81 * number[2];
  assert.ok(Math.abs(up / weight - 1) < 1e-3, `${up} N s of ${weight}`); // the stones still settle a little
  wasm._live_destroy(l);
});

test('geometry: every collider has a body and a shape, hulls have triangles', () => {
  const l = load('arch', '', 0);
  const colliders = wasm._live_collider_count(l);
  const shapes = wasm._live_shape_count(l);
  assert.ok(colliders > 0 && shapes > 0);
  for (const shape of integers(wasm._live_collider_shape(l), colliders)) assert.ok(shape >= 0 && shape < shapes);
  const offset = integers(wasm._live_shape_triangle_offset(l), shapes + 1);
  const kind = integers(wasm._live_shape_kind(l), shapes);
  kind.forEach((k, i) => assert.equal(k === 5, offset[i + 1] > offset[i]));
  wasm._live_destroy(l);
});

test('joints have reactions, flexible solids stress, bodies inertia', () => {
  const chain = load('chain', '', 0);
  for (let k = 0; k < 10; k++) assert.equal(wasm._live_step(chain), 0);
  const reaction = doubles(wasm._live_joint_reaction(chain), 6 * wasm._live_joint_count(chain));
  assert.ok(Math.hypot(...reaction.slice(0, 3)) > 0);
  const bodies = wasm._live_body_count(chain);
  const inertia = doubles(wasm._live_body_inertia(chain), 9 * bodies);
  integers(wasm._live_body_motion(chain), bodies).forEach((motion, k) => assert.equal(motion === 0, inertia[9 * k] > 0));
  wasm._live_destroy(chain);
  const beam = load('three-point-bending', '', 0);
  const nodes = integers(wasm._live_solid_node_offset(beam), 2)[1];
  for (let k = 0; k < 10; k++) assert.equal(wasm._live_step(beam), 0);
  const [rest, now] = [doubles(wasm._live_solid_rest(beam), 3 * nodes), doubles(wasm._live_solid_position(beam), 3 * nodes)];
  assert.ok(rest.some((x, k) => x !== now[k]));
  assert.ok(Math.max(...doubles(wasm._live_solid_stress(beam), nodes)) > 0);
  assert.ok(Math.max(...doubles(wasm._live_solid_pressure(beam), nodes)) > 0);
  wasm._live_destroy(beam);
});

const scene = JSON.stringify({
  voussoir: 1,
  gravity: [0, 0, 0],
  bodies: [{ name: 'b', shape: { kind: 'sphere', radius: 0.1 }, density: 1000, position: [0, 0, 1] }],
});

test('a scene from text: velocity, gravity, pull, throw, remove', () => {
  const l = loadText(scene, '', 0);
  assert.notEqual(l, 0, text(wasm._live_error()));
  assert.equal(text(wasm._live_body_name(l, 0)), 'b');
  const pose = () => doubles(wasm._live_body_pose(l), 7);
  assert.equal(wasm._live_set_velocity(l, 0, 1, 0, 0, 0, 0, 0), 0);
  for (let k = 0; k < 240; k++) wasm._live_step(l);
  assert.ok(Math.abs(pose()[0] - 1) < 1e-9);
  assert.equal(wasm._live_pull(l, 0, 0, 0, 0, 0, 0, 3, 2), 0);
  for (let k = 0; k < 480; k++) wasm._live_step(l);
  assert.ok(Math.abs(pose()[2] - 3) < 1e-3 && Math.abs(pose()[0]) < 1e-3); // 2 s of a critically damped spring of 2 Hz
  wasm._live_release(l);
  wasm._live_set_gravity(l, 0, -9.81, 0);
  for (let k = 0; k < 24; k++) wasm._live_step(l);
  assert.ok(pose()[1] < -0.04);
  const ball = wasm._live_throw(l, 0.2, 500, 5, 5, 5, 0, 0, 1);
  assert.equal(ball, 1);
  assert.equal(wasm._live_body_count(l), 2);
  assert.equal(wasm._live_step(l), 0);
  assert.equal(wasm._live_remove(l, 0), 0);
  assert.equal(wasm._live_body_count(l), 1);
  assert.ok(wasm._live_set_velocity(l, 7, 0, 0, 0, 0, 0, 0) !== 0);
  wasm._live_destroy(l);
});

test('mistakes are told in words', () => {
  assert.equal(load('arhc', '', 0), 0);
  assert.match(text(wasm._live_error()), /arhc/);
  assert.equal(load('arch', 'stones', 0), 0);
  assert.match(text(wasm._live_error()), /NAME=NUMBER/);
  assert.equal(loadText('{', '', 0), 0);
  assert.ok(text(wasm._live_error()).length > 0);
});

console.log(`${passed} passed, 0 failed`);

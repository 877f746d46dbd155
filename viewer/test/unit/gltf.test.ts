// `voussoir export run.glb`: Khronos' own validator finds nothing to say, and the motion is that of the trajectory.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateBytes } from 'gltf-validator';
import { expect, test } from 'vitest';
import { findCommand, h5py, OUT, scenes } from './files';

function convert(path: string, name: string, ...options: string[]): Buffer {
  const out = join(OUT, `${name}.glb`);
  execFileSync(findCommand(), ['export', path, '-o', out, ...options]);
  return readFileSync(out);
}

test.each([
  ['arch', scenes.arch],
  ['drum', scenes.drum],
  ['four-bar', scenes.fourBar],
  ['bending', scenes.bending],
  ['soup', scenes.soup],
] as const)('%s is valid glTF', async (name, scene) => {
  const report = await validateBytes(new Uint8Array(convert(scene(), name)), { maxIssues: 100 });
  expect(report.issues.messages).toEqual([]);
  expect(report.info).toMatchObject({ version: '2.0', animationCount: 1 });
  expect(report.info.totalTriangleCount).toBeGreaterThan(10);
});

test('bodies move as in the trajectory', () => {
  const path = scenes.fourBar();
  const bytes = convert(path, 'four-bar');
  const size = bytes.readUInt32LE(12);
  const g = JSON.parse(bytes.subarray(20, 20 + size).toString()) as {
    accessors: { bufferView: number; byteOffset: number; count: number }[];
    bufferViews: { byteOffset: number }[];
    animations: { channels: { sampler: number; target: { node: number; path: string } }[]; samplers: { output: number }[] }[];
  };
  const [run] = g.animations;
  const channel = run.channels.find((c) => c.target.node === 2 && c.target.path === 'translation')!;
  const accessor = g.accessors[run.samplers[channel.sampler].output];
  const start = 28 + size + g.bufferViews[accessor.bufferView].byteOffset + accessor.byteOffset;
  const written = Array.from({ length: 3 * accessor.count }, (_, k) => bytes.readFloatLE(start + 4 * k));
  expect(written).toEqual(h5py(path, "f['state/pose'][:, 1, :3].astype('f4').ravel()"));
});

test('flexible solids stand as in the first frame', () => {
  const path = scenes.bending();
  const bytes = convert(path, 'bending');
  const size = bytes.readUInt32LE(12);
  const g = JSON.parse(bytes.subarray(20, 20 + size).toString()) as {
    accessors: { bufferView: number; byteOffset: number; count: number; type: string }[];
    bufferViews: { byteOffset: number }[];
  };
  const nodes = h5py<number[]>(path, "f['flexible/position'][0].astype('f4').ravel()");
  const accessor = g.accessors.find((a) => a.type === 'VEC3' && 3 * a.count === nodes.length)!;
  const start = 28 + size + g.bufferViews[accessor.bufferView].byteOffset + accessor.byteOffset;
  expect(nodes.map((_, k) => bytes.readFloatLE(start + 4 * k))).toEqual(nodes);
});

// Real trajectories for the tests: written by the command (environment VOUSSOIR, else the usual build folders), kept in
// test/out; and what h5py reads from them, as JSON.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = resolve(import.meta.dirname, '..');
export const OUT = join(here, 'out');

export function findCommand(): string {
  const builds = ['build/release', 'build', 'build-release'].map((dir) => resolve(here, '../..', dir, 'app/voussoir'));
  const found = [process.env.VOUSSOIR ?? '', ...builds].find((path) => path && existsSync(path));
  if (!found) throw new Error('set VOUSSOIR to the voussoir command');
  return found;
}

/** Runs a scene once a build of the command; the trajectory stays for other tests. */
export function trajectory(name: string, scene: string, ...options: string[]): string {
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, `${name}.h5`);
  if (existsSync(path) && statSync(path).mtimeMs > statSync(findCommand()).mtimeMs) return path;
  const part = join(OUT, `${name}-${process.pid}.part.h5`);
  execFileSync(findCommand(), ['run', scene, '-o', part, '--quiet', ...options], { stdio: 'pipe' });
  renameSync(part, path);
  return path;
}

/** Forces in equilibrium of a scene that stands. */
function equilibrium(name: string, scene: string): string {
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, `${name}.h5`);
  execFileSync(findCommand(), ['statics', scene, '-o', path], { stdio: 'pipe' });
  return path;
}

export const scenes = {
  arch: () => trajectory('arch', 'arch', '--duration', '0.5'),
  drum: () => trajectory('drum', 'rotating-drum', '--duration', '1', '--frame', '0.0125'),
  fourBar: () => trajectory('four-bar', 'four-bar'),
  bending: () => trajectory('bending', 'three-point-bending', '--duration', '0.18', '--step', '0.06', '--set', 'cells=18'),
  standing: () => equilibrium('standing', 'arch'),
  soup: () => trajectory('soup', 'primitive-soup', '--duration', '0.8'),
};

/** The value of a Python expression; f is the open file, np is numpy. */
export function h5py<T>(path: string, expression: string): T {
  const code = `import h5py, json, sys, numpy as np
f = h5py.File(sys.argv[1], 'r')
v = ${expression}
print(json.dumps(v.tolist() if hasattr(v, 'tolist') else v))`;
  const python = process.env.PYTHON ?? '/usr/bin/python3';
  return JSON.parse(execFileSync(python, ['-c', code, path], { encoding: 'utf8' })) as T;
}

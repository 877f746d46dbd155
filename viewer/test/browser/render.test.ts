// `voussoir render` draws with this viewer: pictures of the size asked for, of the time asked for, films.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCommand, OUT, scenes } from '../unit/files';
import { VIEWER } from './harness';

function render(...options: string[]): string {
  mkdirSync(OUT, { recursive: true });
  return execFileSync(findCommand(), ['render', ...options, '--viewer', join(VIEWER, 'dist')], { encoding: 'utf8', stdio: 'pipe' });
}

function sizeOf(path: string): [number, number] {
  const bytes = readFileSync(path);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('a picture of a time, the same each time, others with force chains and with the line of thrust', () => {
  const at = (name: string): string => join(OUT, name);
  const look = ['--size', '400x300', '--time', '0.25', '--azimuth', '-70', '--elevation', '10', '--zoom', '1.2', '--look', '0,0,0.5'];
  render(scenes.arch(), ...look, '-o', at('a.png'));
  render(scenes.arch(), ...look, '-o', at('b.png'));
  render(scenes.arch(), ...look, '--chains', '--dark', '-o', at('c.png'));
  render(scenes.arch(), ...look, '--thrust', '--pressure', '-o', at('d.png'));
  expect(sizeOf(at('a.png'))).toEqual([400, 300]);
  expect(readFileSync(at('a.png')).equals(readFileSync(at('b.png')))).toBe(true);
  expect(readFileSync(at('a.png')).equals(readFileSync(at('c.png')))).toBe(false);
  expect(readFileSync(at('a.png')).equals(readFileSync(at('d.png')))).toBe(false);
  expect(readFileSync(at('a.png')).length).toBeGreaterThan(5000); // not an empty page
});

test('a film, as pictures and as WebM', () => {
  const folder = join(OUT, 'film');
  rmSync(folder, { recursive: true, force: true });
  const say = render(scenes.fourBar(), '--size', '200x150', '--frames', '--to', '0.25', '--rate', '20', '-o', folder);
  expect(say).toMatch(/6 pictures/); // 0, 0.05, … 0.25 s
  const files = readdirSync(folder).sort();
  expect(files).toEqual([1, 2, 3, 4, 5, 6].map((k) => `frame-00000${k}.png`));
  expect(new Set(files.map((f) => readFileSync(join(folder, f)).toString('base64'))).size).toBe(6); // it moves
  const film = join(OUT, 'film.webm');
  render(scenes.fourBar(), '--size', '200x150', '--frames', '--to', '0.1', '-o', film);
  expect(readFileSync(film).readUInt32BE(0)).toBe(0x1a45dfa3); // EBML
});

test('a file that the viewer refuses is refused with its reason', () => {
  expect(() => render(join(VIEWER, 'package.json'), '-o', join(OUT, 'no.png'))).toThrow(/is not an HDF5 file/);
});

// The address of a state: scene, parameters, what hands did and when, the step, and the hash that a replay must give.
//
//     playground.html?scene=arch&set=stones:17,mu:0.6       a scene, from its beginning
//     …#scene=arch&set=mu:0.6&do=120x5;…&step=240&hash=…    a state
//     …#json=…&step=240                                     a pasted scene, compressed
import { fromText, toText, type Timed } from './actions';
import type { Setup } from './simulation';

export interface State {
  setup: Setup;
  actions: Timed[];
  step: number; // 0: from the beginning
  hash: string; // '': not told
}

export const DEFAULT_SCENE = 'arch';
/** Bytes of a scene in a link: a link of a few kilobytes can hold gigabytes of zeros. */
export const SCENE_MOST = 4_000_000;
export const DEFAULT_BUDGET = 0; // s: unlimited, so that every step is solved to its tolerance

async function squeeze(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Expands piece by piece; null: there is more than the scene may have. */
async function expand(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(pieces).text();
    length += value.length;
    if (length > SCENE_MOST) {
      await reader.cancel();
      return null;
    }
    pieces.push(value);
  }
}

async function unsqueeze(text: string): Promise<string> {
  let scene: string | null;
  try {
    scene = await expand(Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)));
  } catch {
    throw new Error('The link is damaged: its scene cannot be read.');
  }
  if (scene === null) throw new Error(`The scene in the link is larger than ${SCENE_MOST / 1e6} MB; open it as a file instead.`);
  return scene;
}

/** mu:0.6,stones:17 */
function toParameters(text: string): Record<string, number> {
  const parameters: Record<string, number> = {};
  for (const pair of text.split(',').filter((word) => word)) {
    const [name, value] = pair.split(/[:=]/);
    if (!name || value === undefined || !Number.isFinite(Number(value)))
      throw new Error(`The address has set=${text}: write names and numbers, as in set=stones:17,mu:0.6.`);
    parameters[name] = Number(value);
  }
  return parameters;
}

export async function readState(address: URL): Promise<State> {
  const part = new Map<string, string>();
  for (const text of [address.search.slice(1), address.hash.slice(1)])
    for (const word of text.split('&')) {
      const at = word.indexOf('=');
      if (at > 0) part.set(word.slice(0, at), decodeURIComponent(word.slice(at + 1).replaceAll('+', ' ')));
    }
  const json = part.get('json');
  const budget = Number(part.get('budget') ?? DEFAULT_BUDGET);
  return {
    setup: {
      scene: json ? '' : (part.get('scene') ?? DEFAULT_SCENE),
      text: json ? await unsqueeze(json) : null,
      parameters: toParameters(part.get('set') ?? ''),
      budget: budget >= 0 ? budget : DEFAULT_BUDGET,
    },
    actions: fromText(part.get('do') ?? ''),
    step: Math.min(Math.max(Math.round(Number(part.get('step')) || 0), 0), 1_000_000),
    hash: part.get('hash') ?? '',
  };
}

export async function writeState({ setup, actions, step, hash }: State): Promise<string> {
  const parts = [setup.text === null ? `scene=${encodeURIComponent(setup.scene)}` : `json=${await squeeze(setup.text)}`];
  const set = Object.entries(setup.parameters).map(([name, value]) => `${name}:${value}`);
  if (set.length) parts.push(`set=${set.join(',')}`);
  if (setup.budget !== DEFAULT_BUDGET) parts.push(`budget=${setup.budget}`);
  if (actions.length) parts.push(`do=${toText(actions)}`);
  if (step) parts.push(`step=${step}`, `hash=${hash}`);
  return `#${parts.join('&')}`;
}

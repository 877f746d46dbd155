// Buttons, keys, dropping of files, and what the address asks for.
import { Vector3 } from 'three';
import type { App } from './app';
import { QUANTITIES, type ColourBy } from './quantities';
import { AXES, type Axis } from './section';
import { element } from './timeline';
import { FIRST_SOLID } from './types';

const CHECKS = ['fit', 'points', 'arrows', 'chains', 'thrust', 'pressure', 'bonds', 'joints', 'orthographic'] as const;
const CUT_STEPS = 200; // of the slider of the section
/** Opacity of bodies while this is shown, which lies inside them. */
const GHOST: Partial<Record<(typeof CHECKS)[number], number>> = { chains: 0.22, thrust: 0.55, pressure: 0.22, bonds: 0.22 };

export function wireControls(app: App): void {
  wirePanel(app);
  wireView(app);
  wireKeys(app);
  applyQuery(app);
  let fresh = true;
  app.onOpen = () => {
    offerColours(app);
    element('bonds-row').hidden = !app.constants?.hasBonds;
    setSection(app, null);
    if (fresh) applyQueryToFile(app);
    fresh = false;
  };
}

/** Files that are chosen or dropped. */
export function wireFiles(open: (file: File) => void): void {
  const input = element<HTMLInputElement>('file');
  for (const id of ['open', 'open-empty']) document.getElementById(id)?.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) open(file);
    input.value = '';
  });
  const main = document.querySelector('main')!;
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    main.classList.add('dropping');
  });
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) main.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    main.classList.remove('dropping');
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

function wirePanel(app: App): void {
  element('message').querySelector('button')!.addEventListener('click', () => (element('message').hidden = true));
  for (const id of CHECKS)
    element<HTMLInputElement>(id).addEventListener('change', (event) => setCheck(app, id, (event.target as HTMLInputElement).checked));
  element<HTMLSelectElement>('colour').addEventListener('change', (event) => {
    app.shown.colour = (event.target as HTMLSelectElement).value as ColourBy;
    app.touch();
  });
  element<HTMLInputElement>('opacity').addEventListener('input', (event) => setOpacity(app, Number((event.target as HTMLInputElement).value)));
  element<HTMLInputElement>('force-scale').addEventListener('input', (event) => {
    app.shown.forceScale = Number((event.target as HTMLInputElement).value);
    app.touch();
  });
  element<HTMLSelectElement>('section').addEventListener('change', (event) => setSection(app, findAxis((event.target as HTMLSelectElement).value)));
  element<HTMLInputElement>('cut').addEventListener('input', (event) => setCut(app, Number((event.target as HTMLInputElement).value)));
  element('theme').addEventListener('click', () => app.setTheme(app.theme === 'light' ? 'dark' : 'light'));
  element('screenshot').addEventListener('click', () => void app.savePicture());
  element('record').addEventListener('click', () => app.toggleFilm());
  element('follow').addEventListener('click', () => app.setFollowing(!app.following));
  element('unselect').addEventListener('click', () => app.select(null));
  element('help').addEventListener('click', () => element<HTMLDialogElement>('keys').showModal());
  offerColours(app);
}

function setOpacity(app: App, value: number): void {
  app.shown.opacity = value;
  element<HTMLInputElement>('opacity').value = String(value);
  app.touch();
}

/** What lies inside the bodies turns them into glass, and solid again, unless another opacity was chosen. */
function setCheck(app: App, id: (typeof CHECKS)[number], on: boolean): void {
  const before = usualOpacity(app);
  app.shown[id] = on;
  element<HTMLInputElement>(id).checked = on;
  if (app.shown.opacity === before) setOpacity(app, usualOpacity(app));
  app.touch();
}

function usualOpacity(app: App): number {
  return Math.min(1, ...CHECKS.map((id) => (app.shown[id] ? (GHOST[id] ?? 1) : 1)));
}

function findAxis(name: string | null): Axis | null {
  return AXES.find((axis) => axis === name) ?? null;
}

/** A section across the axis through the point looked at, or none. The slider goes through the whole scene. */
function setSection(app: App, axis: Axis | null): void {
  const { bounds, controls } = app.scene;
  app.shown.section = axis;
  element<HTMLSelectElement>('section').value = axis ?? '';
  element('cut-row').hidden = !axis;
  app.touch();
  if (!axis) return;
  const [low, high] = [bounds.min[axis], bounds.max[axis]];
  const slider = element<HTMLInputElement>('cut');
  slider.min = String(low);
  slider.max = String(high);
  slider.step = String((high - low) / CUT_STEPS);
  setCut(app, Math.min(Math.max(controls.target[axis], low), high));
}

function setCut(app: App, at: number): void {
  app.shown.cut = at;
  const slider = element<HTMLInputElement>('cut');
  slider.value = String(at);
  const places = Math.max(2 - Math.floor(Math.log10(Number(slider.max) - Number(slider.min) || 1)), 0); // three digits of the range
  element('cut-at').textContent = `${at.toFixed(places).replace(/^-(?=[0.]+$)/, '')} m`;
  app.touch();
}

/** None, x, y, z, none. */
function nextSection(app: App): void {
  setSection(app, AXES[app.shown.section ? AXES.indexOf(app.shown.section) + 1 : 0] ?? null);
}

/** Only quantities that the file has. */
function offerColours(app: App): void {
  const select = element<HTMLSelectElement>('colour');
  const offered = Object.entries(QUANTITIES).filter(([, q]) => !app.constants || (q.offered?.(app.constants) ?? true));
  select.replaceChildren(...offered.map(([key, q]) => new Option(q.label, key)));
  if (!offered.some(([key]) => key === app.shown.colour)) app.shown.colour = 'body';
  select.value = app.shown.colour;
}

/** A click that is not a drag picks. */
function wireView(app: App): void {
  const view = element('view');
  let down = { x: 0, y: 0 };
  view.addEventListener('pointerdown', (event) => (down = { x: event.offsetX, y: event.offsetY }));
  view.addEventListener('pointerup', (event) => {
    const { offsetX: x, offsetY: y } = event;
    if (event.button === 0 && Math.hypot(x - down.x, y - down.y) < 4 && !app.onTap(x, y)) app.pick(x, y);
  });
}

/** Bodies one after the other, then flexible solids. */
function nextBody(app: App, by: number): void {
  const bodies = app.constants?.bodies.count ?? 0;
  const n = bodies + (app.constants?.flexible.count ?? 0);
  if (n === 0) return;
  const { selection } = app;
  const now =
    selection?.kind === 'body' ? selection.index : selection?.kind === 'solid' ? bodies + selection.index : by > 0 ? -1 : n;
  const next = (now + by + n) % n;
  app.select(next < bodies ? { kind: 'body', index: next } : { kind: 'solid', index: next - bodies });
}

/** Contacts one after the other; of the selected body or solid first. */
function nextContact(app: App): void {
  const contacts = app.current?.contacts;
  if (!contacts?.count) return;
  const { selection } = app;
  let k = selection?.kind === 'contact' ? selection.index + 1 : 0;
  if (selection?.kind === 'body' || selection?.kind === 'solid') {
    const b = selection.kind === 'body' ? selection.index : FIRST_SOLID - selection.index;
    k = Array.from({ length: contacts.count }, (_, i) => i).find((i) => contacts.body[2 * i] === b || contacts.body[2 * i + 1] === b) ?? 0;
  }
  app.select({ kind: 'contact', index: k % contacts.count });
}

function wireKeys(app: App): void {
  const toggle = (id: (typeof CHECKS)[number]): void => setCheck(app, id, !app.shown[id]);
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => app.transport.toggle(),
    ArrowLeft: (event) => app.transport.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => app.transport.step(event.shiftKey ? 10 : 1),
    Home: () => app.transport.jump(0),
    End: () => app.transport.jump(app.clock.frames - 1),
    '<': () => app.transport.changeSpeed(-1),
    '>': () => app.transport.changeSpeed(1),
    n: () => nextBody(app, 1),
    b: () => nextBody(app, -1),
    m: () => nextContact(app),
    f: () => app.setFollowing(!app.following),
    '1': () => toggle('points'),
    '2': () => toggle('arrows'),
    '3': () => toggle('chains'),
    '4': () => toggle('orthographic'),
    '5': () => nextSection(app),
    '6': () => toggle('thrust'),
    '7': () => toggle('pressure'),
    '8': () => toggle('bonds'),
    r: () => app.scene.frameAll(),
    o: () => element('file').click(),
    p: () => void app.savePicture(),
    v: () => app.toggleFilm(),
    t: () => element('theme').click(),
    '?': () => element<HTMLDialogElement>('keys').showModal(),
    Escape: () => app.select(null),
  };
  document.addEventListener('keydown', (event) => {
    const at = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || element<HTMLDialogElement>('keys').open) return;
    if (at.matches('select, textarea, input[type=number], input[type=text]')) return; // they have keys of their own
    if (at.matches('input[type=range]') && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (event.key === ' ' && at.matches('button, input[type=checkbox]')) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

/** ?file=…&time=2&colour=speed&chains=1&thrust=1&points=1&arrows=1&opacity=0.3&theme=dark&bare=1&azimuth=…&elevation=… (degrees) */
function applyQuery(app: App): void {
  const query = new URLSearchParams(location.search);
  if (query.get('bare') === '1') document.body.classList.add('bare');
  const theme = query.get('theme');
  if (theme === 'light' || theme === 'dark') app.setTheme(theme);
  const colour = query.get('colour');
  if (colour && colour in QUANTITIES) app.shown.colour = colour as ColourBy;
  for (const id of CHECKS) if (query.has(id)) setCheck(app, id, query.get(id) === '1');
  const opacity = Number(query.get('opacity'));
  if (opacity > 0 && opacity <= 1) setOpacity(app, opacity);
  app.shown.forceScale = Number(query.get('force')) || 0;
}

/** What the address asks for of the first file: time in seconds, view in degrees, a body or contact. */
function applyQueryToFile(app: App): void {
  const query = new URLSearchParams(location.search);
  const number = (key: string): number | undefined => {
    const text = query.get(key);
    return text !== null && Number.isFinite(Number(text)) ? Number(text) : undefined;
  };
  const [time, azimuth, elevation] = [number('time'), number('azimuth'), number('elevation')];
  if (time !== undefined) app.transport.jump(app.clock.nearest(time));
  const radians = Math.PI / 180;
  const zoom = Math.min(Math.max(number('zoom') ?? 1, 0.05), 20);
  const look = query.get('look')?.split(',').map(Number);
  const at = look?.length === 3 && look.every(Number.isFinite) ? new Vector3(...look) : undefined;
  if (azimuth !== undefined || elevation !== undefined || zoom !== 1 || at)
    app.scene.frameAll(azimuth === undefined ? undefined : azimuth * radians, (elevation ?? 17) * radians, zoom, at);
  setSection(app, findAxis(query.get('section')));
  const cut = number('cut');
  if (cut !== undefined) setCut(app, cut);
  const [body, solid, contact] = [number('body'), number('solid'), number('contact')];
  if (body !== undefined) app.select({ kind: 'body', index: body });
  if (solid !== undefined) app.select({ kind: 'solid', index: solid });
  if (contact !== undefined) app.select({ kind: 'contact', index: contact });
}

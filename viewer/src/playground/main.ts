// The playground: a simulation that runs in the page, its parameters, hands, certificate, and the link that brings a state back.
import '../style.css';
import './playground.css';
import { App } from '../app';
import { format } from '../colours';
import { wireControls, wireFiles } from '../controls';
import { element } from '../timeline';
import { STATUS_NAMES } from '../types';
import type { Timed } from './actions';
import { Hand, type Tool } from './hand';
import { DEFAULT_BUDGET, readState, writeState } from './link';
import { rangeOf } from './parameters';
import type { SceneInfo, Setup } from './simulation';
import { LiveSource } from './source';

const TEMPLATE = `{
  "voussoir": 1,
  "materials": { "stone": { "mu": 0.6 } },
  "bodies": [
    { "name": "floor", "motion": "static", "shape": { "kind": "plane" }, "material": "stone" },
    { "name": "lower", "shape": { "kind": "box", "half": [0.3, 0.3, 0.2] }, "density": 2000, "position": [0, 0, 0.2], "material": "stone" },
    { "name": "upper", "shape": { "kind": "box", "half": [0.2, 0.2, 0.1] }, "density": 2000, "position": [0.15, 0, 0.5], "material": "stone" }
  ]
}`;
const FIRST = ['arch', 'brick-wall', 'domino', 'balls-in-box']; // first in the list
const RESTART_WAIT = 150; // ms after the last move of a slider
const SLOW = 40; // ms between pictures
const SAMPLED = [1, 12, 60, 240, 960]; // steps whose frames set the scales of colours and forces

class Playground {
  readonly source = new LiveSource();
  readonly app = new App(this.source);
  readonly hand = new Hand(this.app, this.source);
  setup: Setup = { scene: 'arch', text: null, parameters: {}, budget: DEFAULT_BUDGET };
  private scenes: SceneInfo[] = [];
  private expected: { step: number; hash: string } | null = null; // of a link
  private gravity = 9.81; // m/s²
  private timer: ReturnType<typeof setTimeout> | undefined;
  private intervals: number[] = []; // ms between pictures
  private ticked = 0; // ms
  private toastTimer: ReturnType<typeof setTimeout> | undefined;

  async begin(): Promise<void> {
    const { app, source } = this;
    app.transport.continuation = source;
    source.onUpdate = (series, constants) => {
      if (app.clock.playing) app.series = series;
      app.extend(series);
      if (constants) app.grow(constants);
      this.sample();
      this.hand.show();
      this.showCertificate();
      this.checkReplay();
    };
    app.onTick = () => {
      source.drawn();
      this.watchFrames();
      element('quick-chains').setAttribute('aria-pressed', String(app.shown.chains));
    };
    wireControls(app);
    if (!new URLSearchParams(location.search).has('chains')) element('chains').click();
    wireFiles((file) => void file.text().then((text) => this.simulateText(text)));
    this.wire();
    app.run();
    this.scenes = await source.scenes;
    this.offerScenes();
    await this.openAddress();
    window.addEventListener('hashchange', () => void this.openAddress());
  }

  // ---- runs --------------------------------------------------------------------------------------------

  /** The state that the address names. A state that was reached is shown standing still; a scene begins to run. */
  private async openAddress(): Promise<void> {
    try {
      const state = await readState(new URL(location.href));
      const { setup } = state;
      if (setup.text === null && !this.scenes.some(({ name }) => name === setup.scene))
        throw new Error(`There is no scene “${setup.scene}”. Choose one from the list.`);
      this.expected = state.hash ? { step: state.step, hash: state.hash } : null;
      await this.run(setup, { actions: state.actions, until: state.step });
    } catch (error) {
      this.app.complain(error instanceof Error ? error.message : String(error));
      if (!this.app.constants) await this.run({ scene: FIRST[0], text: null, parameters: {}, budget: DEFAULT_BUDGET });
    }
  }

  /** Loads and, without a step to go to, runs. Says whether it could. */
  async run(setup: Setup, { keepView = false, actions = [] as Timed[], until = 0 } = {}): Promise<boolean> {
    const { app, source } = this;
    clearTimeout(this.timer);
    try {
      const opened = await source.load(setup, actions, until);
      this.setup = setup;
      await app.load(opened, keepView);
      this.gravity = Math.hypot(...opened.constants.gravity);
      this.showSetup();
      this.showTilt(0, 0);
      this.showCertificate();
      if (!until) source.resume();
      app.touch();
      return true;
    } catch (error) {
      app.complain(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  restart(): void {
    this.expected = null;
    void this.run(this.setup, { keepView: true });
  }

  private change(parameters: Record<string, number>): void {
    this.setup = { ...this.setup, parameters };
    this.expected = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(this.setup), RESTART_WAIT);
  }

  async simulateText(text: string): Promise<void> {
    const error = element('own-error');
    this.expected = null;
    const good = await this.run({ scene: '', text, parameters: {}, budget: this.setup.budget });
    const dialog = element<HTMLDialogElement>('own');
    if (good) {
      element<HTMLTextAreaElement>('json').value = text;
      dialog.close();
    } else if (dialog.open) {
      error.textContent = element('message').querySelector('span')!.textContent;
      element('message').hidden = true;
    }
    error.hidden = good;
  }

  private sample(): void {
    const { app } = this;
    const at = app.clock.frames - 1;
    const [before, now] = [at > 0 ? this.stepOf(at - 1) : 0, this.stepOf(at)];
    const frame = this.source.get(at);
    if (frame && SAMPLED.some((k) => before < k && now >= k)) app.sample(frame);
  }

  /** A computer that draws slowly gets plainer pictures. */
  private watchFrames(): void {
    const now = performance.now();
    if (this.source.running && !document.hidden) this.intervals.push(now - this.ticked);
    this.ticked = now;
    if (this.intervals.length < 20) return;
    const median = this.intervals.sort((a, b) => a - b)[10];
    this.intervals = [];
    if (median > SLOW) this.app.scene.simplify();
  }

  private stepOf(frame: number): number {
    return Math.round((this.app.series?.time[frame] ?? 0) / (this.app.constants?.step || 1));
  }

  // ---- link --------------------------------------------------------------------------------------------

  async share(): Promise<string> {
    const { source, setup } = this;
    await source.halt();
    this.app.touch();
    const { steps = 0, hash = '', late = 0 } = source.certificate ?? {};
    const link = await writeState({ setup, actions: source.actions, step: steps, hash });
    history.replaceState(null, '', link);
    const note = late ? ` ${late} steps were ended by the time budget: a replay may differ.` : '';
    try {
      await navigator.clipboard.writeText(location.href);
      this.toast(`Link to step ${steps} copied.${note}`);
    } catch {
      this.toast(`The address of this page is now a link to step ${steps}.${note}`);
    }
    return location.href;
  }

  private checkReplay(): void {
    const { certificate } = this.source;
    const { expected } = this;
    if (!expected || certificate?.steps !== expected.step) return;
    this.expected = null;
    const same = certificate.hash === expected.hash;
    if (same) this.toast(`Replayed ${expected.step} steps: the same bits as in the link.`);
    else this.app.complain(`Replayed ${expected.step} steps, but with other bits: the link was made by another version, or a time budget ended steps.`);
  }

  private toast(text: string): void {
    const box = element('toast');
    box.textContent = text;
    box.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => (box.hidden = true), 4000);
  }

  // ---- panels ------------------------------------------------------------------------------------------

  private offerScenes(): void {
    const rank = ({ name }: SceneInfo): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
    const sorted = [...this.scenes].sort((a, b) => rank(a) - rank(b));
    element<HTMLSelectElement>('scene').replaceChildren(
      ...sorted.map(({ name, description }) => {
        const option = new Option(name.replaceAll('-', ' '), name);
        option.title = description;
        return option;
      }),
    );
  }

  private showSetup(): void {
    const { setup } = this;
    const select = element<HTMLSelectElement>('scene');
    const info = this.scenes.find(({ name }) => name === setup.scene && setup.text === null);
    select.querySelector('option[value=""]')?.remove();
    if (!info) select.prepend(new Option('your scene', ''));
    select.value = info?.name ?? '';
    element('title').textContent = info ? info.name.replaceAll('-', ' ') : this.app.constants?.title || 'your scene';
    element('description').textContent = info ? `${info.description[0].toUpperCase()}${info.description.slice(1)}.` : 'A scene file of your own.';
    element('defaults').hidden = Object.keys(setup.parameters).length === 0;
    element<HTMLSelectElement>('budget').value = String(setup.budget);
    const panel = element('parameters');
    if (panel.dataset.scene === (info?.name ?? '') && panel.contains(document.activeElement)) return; // in the middle of a move
    panel.dataset.scene = info?.name ?? '';
    panel.replaceChildren(...(info?.parameters ?? []).map(({ name, value }) => this.slider(info!, name, value)));
  }

  private slider(info: SceneInfo, name: string, value: number): HTMLElement {
    const range = rangeOf(info.name, name, value);
    const row = document.createElement('label');
    row.className = 'slider';
    const label = document.createElement('span');
    label.textContent = range.unit ? `${range.label} / ${range.unit}` : range.label;
    const field = document.createElement('input');
    const slider = document.createElement('input');
    field.type = 'number';
    field.step = 'any';
    field.name = name;
    field.setAttribute('aria-label', `${range.label}, number`);
    slider.type = 'range';
    slider.min = String(range.min);
    slider.max = String(range.max);
    slider.step = String(range.step);
    slider.name = `${name}-slider`;
    slider.setAttribute('aria-label', range.label);
    field.value = slider.value = String(this.setup.parameters[name] ?? value);
    field.value = String(this.setup.parameters[name] ?? value); // may lie out of the slider's range
    const set = (text: string): void => {
      const number = Number(text);
      if (text === '' || !Number.isFinite(number)) return;
      const others = Object.entries(this.setup.parameters).filter(([other]) => other !== name);
      this.change(Object.fromEntries(number === value ? others : [...others, [name, number]]));
    };
    slider.addEventListener('input', () => {
      field.value = slider.value;
      set(slider.value);
    });
    field.addEventListener('change', () => {
      slider.value = field.value;
      set(field.value);
    });
    row.append(label, field, slider);
    return row;
  }

  private showCertificate(): void {
    const { certificate: c, milliseconds } = this.source;
    if (!c) return;
    const last = this.app.series?.iterations.at(-1) ?? 0;
    const joule = (x: number): string => (x === 0 ? '0 J' : `${format(x, 2)} J`);
    const sorted = [...milliseconds].sort((a, b) => a - b);
    const median = sorted[sorted.length >> 1] ?? 0;
    const h = 1000 * (this.app.constants?.step ?? 0);
    element('energy-error').textContent = c.steps ? `${joule(c.energyError)}, largest ${joule(c.worst)}` : '–';
    element('status').textContent = c.steps ? (STATUS_NAMES[c.status] ?? String(c.status)) : '–';
    element('status').classList.toggle('bad', c.status !== 0);
    element('iterations').textContent = c.steps ? String(last) : '–';
    element('missed').textContent = c.steps ? `${c.missed} of ${c.steps}` : '–';
    element('missed').classList.toggle('bad', c.missed > 0);
    const slow = median > h * 1.02 ? ` (${format(h / median, 2)} × real time)` : '';
    element('pace').textContent = milliseconds.length ? `${median < 0.1 ? '< 0.1' : format(median, 2)} ms${slow}` : '–';
    element('run-hash').textContent = c.steps ? `Step ${c.steps}: ${c.hash}` : '';
  }

  private showTilt(x: number, y: number): void {
    for (const [id, value] of [
      ['tilt-x', x],
      ['tilt-y', y],
    ] as const) {
      element<HTMLInputElement>(id).value = String(value);
      element(`${id}-value`).textContent = `${value}°`;
    }
  }

  /** The table tilts: in its axes gravity turns. */
  private tilt(): void {
    const [x, y] = ['tilt-x', 'tilt-y'].map((id) => Number(element<HTMLInputElement>(id).value));
    this.showTilt(x, y);
    const [sx, sy] = [x, y].map((degrees) => Math.sin((degrees * Math.PI) / 180));
    const down = Math.sqrt(Math.max(1 - sx * sx - sy * sy, 0));
    const g = this.gravity || 9.81;
    this.source.act({ kind: 'gravity', value: [g * sx, g * sy, -g * down] });
  }

  setTool(tool: Tool): void {
    this.hand.tool = tool;
    element<HTMLInputElement>('tools').querySelector<HTMLInputElement>(`[value=${tool}]`)!.checked = true;
    document.body.dataset.tool = tool;
  }

  private toggleCharts(): void {
    const charts = element('charts');
    charts.hidden = !charts.hidden;
    element('show-charts').setAttribute('aria-expanded', String(!charts.hidden));
  }

  private openOwn(): void {
    const text = element<HTMLTextAreaElement>('json');
    text.value ||= this.setup.text ?? TEMPLATE;
    element('own-error').hidden = true;
    element<HTMLDialogElement>('own').showModal();
  }

  private wire(): void {
    const { app, source } = this;
    const on = (id: string, what: () => void): void => element(id).addEventListener('click', what);
    on('restart', () => this.restart());
    on('quick-chains', () => element('chains').click());
    on('step', () => app.transport.step(1));
    on('share', () => void this.share());
    on('paste', () => this.openOwn());
    on('own-cancel', () => element<HTMLDialogElement>('own').close());
    on('own-run', () => void this.simulateText(element<HTMLTextAreaElement>('json').value));
    on('defaults', () => this.change({}));
    on('show-charts', () => this.toggleCharts());
    element('scene').addEventListener('change', (event) => {
      const scene = (event.target as HTMLSelectElement).value;
      if (!scene) return;
      this.expected = null;
      history.replaceState(null, '', `${location.pathname}?scene=${scene}`);
      void this.run({ scene, text: null, parameters: {}, budget: this.setup.budget });
    });
    element('budget').addEventListener('change', (event) => {
      this.setup = { ...this.setup, budget: Number((event.target as HTMLSelectElement).value) };
      this.restart();
    });
    element('speed').addEventListener('change', (event) => source.setSpeed(Number((event.target as HTMLSelectElement).value)));
    for (const id of ['tilt-x', 'tilt-y']) element(id).addEventListener('input', () => this.tilt());
    element('tools').addEventListener('change', (event) => this.setTool((event.target as HTMLInputElement).value as Tool));
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) source.pause();
    });
    this.wireKeys();
  }

  private wireKeys(): void {
    const keys: Record<string, () => void> = {
      Backspace: () => this.restart(),
      h: () => this.setTool('hand'),
      g: () => this.setTool('throw'),
      x: () => this.setTool('remove'),
      c: () => this.toggleCharts(),
      l: () => void this.share(),
      s: () => this.openOwn(),
    };
    document.addEventListener('keydown', (event) => {
      const at = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || at.closest('dialog') || at.matches('select, textarea, input[type=number]')) return;
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }
}

const playground = new Playground();
void playground.begin();

// For tests and for scripts that make pictures.
Object.assign(window, { voussoir: playground.app, playground });
export type { Playground };

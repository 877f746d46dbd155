// The viewer's state and how a time becomes a picture.
import * as THREE from 'three';
import { category, forceMap, format, LOOKS, prefixed, viridis, type Theme } from './colours';
import { bondBar } from './bonds';
import { BODY_CHARTS, Charts, RUN_CHARTS } from './charts';
import { magnitudeOf, placedContacts, resultants } from './contacts';
import { boundsOfSolid } from './flexible';
import { Inspector, type Selection } from './inspect';
import { interpolatePoints, interpolatePoses } from './interpolate';
import { Legends, type Bar } from './legend';
import { mobilised } from './marks';
import { findInterfaces } from './pressure';
import { QUANTITIES, type ColourBy, type Quantity } from './quantities';
import { compose, Film, save, toPng } from './record';
import { Scene } from './scene';
import type { Axis } from './section';
import { Clock, element, Transport } from './timeline';
import { noContacts } from './trajectory';
import type { Contacts, Frame, FrameSource, Opened, Series, Constants, Track } from './types';

const CHART_PAUSE = 200; // ms between drawings of charts that grow
const SAMPLES = 6; // frames over the run that set scales and view, so that these do not jump

export interface Shown {
  colour: ColourBy;
  opacity: number;
  fit: boolean;
  points: boolean;
  arrows: boolean;
  chains: boolean;
  thrust: boolean; // line of thrust
  pressure: boolean; // of interfaces
  bonds: boolean; // of mortar
  joints: boolean;
  forceScale: number; // power of ten
  orthographic: boolean;
  section: Axis | null; // across this axis
  cut: number; // m along it
}

export class App {
  readonly clock = new Clock();
  readonly scene: Scene;
  readonly transport = new Transport(this.clock);
  readonly inspector = new Inspector();
  readonly shown: Shown = {
    colour: 'body',
    opacity: 1,
    fit: false,
    points: false,
    arrows: false,
    chains: false,
    thrust: false,
    pressure: false,
    bonds: false,
    joints: true,
    forceScale: 0,
    orthographic: false,
    section: null,
    cut: 0,
  };
  readonly charts: Charts<Series>;
  readonly tracks: Charts<Track>; // of the selected body
  theme: Theme = 'light';
  selection: Selection = null;
  following = false;
  constants: Constants | null = null;
  series: Series | null = null;
  current: Frame | null = null; // the frame whose numbers are shown
  name = '';
  /** Counters for measurements. */
  readonly stats = { pictures: 0, milliseconds: 0 };
  onOpen: () => void = () => undefined;
  /** A click that is not a drag, at these pixels: true if nothing is to be picked. */
  onTap: (x: number, y: number) => boolean = () => false;
  onTick: () => void = () => undefined;

  private readonly canvas = element<HTMLCanvasElement>('view');
  private readonly legends = new Legends(element('legends'));
  private first: Frame | null = null;
  private contacts: Contacts = noContacts(); // of the current frame, where they are drawn
  private samples: Frame[] = [];
  private readonly scales = new Map<string, number>(); // of the samples
  private pose = new Float64Array(0);
  private position = new Float64Array(0); // of the nodes of solids
  private rgb = new Float32Array(0);
  private stale = true; // the picture does not show the state
  private halted = false;
  private before = 0;
  private film: Film | null = null;
  private goingAlong = false;
  private followed: THREE.Vector3 | null = null;
  private grown = false; // the charts do not show all frames
  private chartsDrawn = 0; // ms

  constructor(protected readonly source: FrameSource) {
    this.scene = new Scene(this.canvas);
    const seek = (time: number): void => this.transport.jump(this.clock.nearest(time));
    this.charts = new Charts(element('charts'), RUN_CHARTS, seek);
    this.tracks = new Charts(element('tracks'), BODY_CHARTS, seek);
    this.transport.onChange = () => this.touch();
    source.onFrame = () => this.touch();
    source.onError = (text) => this.complain(text);
    this.inspector.onPick = (selection) => this.select(selection);
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement!);
    this.setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }

  // ---- what is shown ----------------------------------------------------------------------------------

  /** keepView: the camera stays where it is. */
  async load(opened: Opened, keepView = false): Promise<void> {
    const { constants, series } = opened;
    const frames = series.time.length;
    const samples: Frame[] = [];
    for (let k = 0; k < Math.min(SAMPLES, frames); k++)
      samples.push(await this.source.frame(Math.round((k * (frames - 1)) / Math.max(Math.min(SAMPLES, frames) - 1, 1))));
    const first = samples[0];
    this.first = this.current = first;
    this.constants = constants;
    this.series = series;
    this.name = opened.name;
    this.samples = samples;
    this.scales.clear();
    this.selection = null;
    void this.loadTrack();
    this.following = false;
    this.pose = first.pose.slice();
    this.position = first.nodes.position.slice();
    this.rgb = new Float32Array(3 * constants.bodies.count);
    this.clock.times = series.time;
    this.clock.playing = false;
    this.clock.seek(0);
    this.setView();
    this.scene.load(constants, samples, keepView);
    this.scene.setTheme(this.theme);
    this.drawCharts();
    element('empty').hidden = true;
    element('message').hidden = true;
    element('title').textContent = constants.title || opened.name;
    this.describe();
    this.onOpen();
    this.touch();
  }

  /** Bodies were added; frames from before do not have them. */
  grow(constants: Constants): void {
    const frame = this.source.get(this.clock.locate().index);
    this.first = this.source.get(0);
    if (!frame || !this.first) return;
    this.constants = constants;
    this.current = frame;
    this.samples = [frame];
    this.pose = frame.pose.slice();
    this.rgb = new Float32Array(3 * constants.bodies.count);
    this.scene.load(constants, this.samples, true);
    this.scene.setTheme(this.theme);
    this.describe();
    this.touch();
  }

  protected describe(): void {
    const { constants, clock } = this;
    if (!constants) return;
    // Without a title, the name of the file is in its place.
    const live = this.transport.continuation !== null;
    const parts = [...(constants.title && !live ? [this.name] : []), count(constants.bodies.count, 'body', 'bodies')];
    const nodes = constants.flexible.rest.length / 3;
    if (nodes) parts.push(`${count(constants.flexible.count, 'flexible solid', 'flexible solids')} (${count(nodes, 'node', 'nodes')})`);
    if (constants.joints.count) parts.push(count(constants.joints.count, 'joint', 'joints'));
    if (!live) parts.push(count(clock.frames, 'frame', 'frames'));
    if (constants.step > 0) parts.push(`step ${format(1000 * constants.step)} ms`);
    element('subtitle').textContent = parts.join(' · ');
    document.title = `${constants.title || this.name} – voussoir`;
  }

  /** All columns, with frames that were added. A clock at the end follows them. */
  extend(series: Series): void {
    const atEnd = this.clock.locate().index === this.clock.frames - 1;
    this.series = series;
    this.clock.times = series.time;
    if (atEnd) void this.goAlong();
    this.grown = true;
    this.touch();
  }

  private drawCharts(): void {
    this.grown = false;
    this.chartsDrawn = performance.now();
    this.charts.load(this.series!);
  }

  /**
   * Moves the clock to the last frame once that is read, again and again while there are newer ones: each frame that was
   * read is drawn, even if there is a newer one by then. Ends when the user moves the clock.
   */
  private async goAlong(): Promise<void> {
    const { clock, source, constants } = this;
    if (this.goingAlong) return;
    this.goingAlong = true;
    try {
      for (;;) {
        const { time, frames } = clock;
        if (clock.playing || clock.locate().index === frames - 1) return;
        if (!source.get(frames - 1)) await source.frame(frames - 1);
        if (clock.playing || clock.time !== time || this.constants !== constants) return; // moved, or another file
        clock.seek(frames - 1);
        this.touch();
      }
    } catch {
      // Caught in the middle of a change: the next look at the file tries again.
    } finally {
      this.goingAlong = false;
    }
  }

  complain(text: string): void {
    const box = element('message');
    box.querySelector('span')!.textContent = text;
    box.hidden = false;
  }

  // ---- state ------------------------------------------------------------------------------------------

  touch(): void {
    this.stale = true;
  }

  setTheme(theme: Theme): void {
    this.theme = this.charts.theme = this.tracks.theme = theme;
    document.documentElement.dataset.theme = theme;
    element('theme').textContent = theme === 'light' ? 'Dark' : 'Light';
    this.scene.setTheme(theme);
    this.charts.draw();
    this.tracks.draw();
    this.touch();
  }

  select(selection: Selection): void {
    this.selection = selection;
    if (selection?.kind !== 'body') this.following = false;
    this.followed = null;
    void this.loadTrack();
    this.touch();
  }

  /** The charts of the selected body, once its numbers are here and it is still selected. */
  private async loadTrack(): Promise<void> {
    const selection = this.selection;
    const body = selection?.kind === 'body' && selection.index < (this.constants?.bodies.count ?? 0) ? selection.index : -1;
    const panel = element('tracks');
    if (body < 0) {
      panel.hidden = true;
      return;
    }
    try {
      const track = await this.source.track(body);
      if (!track || this.selection !== selection) return;
      panel.hidden = false;
      this.tracks.load(track);
      this.touch();
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
    }
  }

  setFollowing(on: boolean): void {
    this.following = on && this.selection?.kind === 'body';
    this.followed = null;
    this.touch();
  }

  /** The contact point within some pixels, if points or arrows are shown, else the body or solid. */
  pick(x: number, y: number): void {
    const { contacts, scene } = this;
    if (!this.current || !scene.bodies) return;
    let best = 12; // pixels
    let found: Selection = null;
    const { points, arrows, chains } = this.shown;
    if (points || arrows || chains)
      for (let k = 0; k < contacts.count; k++) {
        const p = contacts.point;
        const at = scene.project(p[3 * k], p[3 * k + 1], p[3 * k + 2]);
        const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
        if (distance < best) {
          best = distance;
          found = { kind: 'contact', index: k };
        }
      }
    if (!found) {
      const ray = scene.rayAt(x, y);
      const hit = scene.bodies.meet(ray);
      const solid = scene.solids!.pick(ray);
      if (solid && !(hit && hit.distance < solid.distance)) found = { kind: 'solid', index: solid.solid, node: solid.node };
      else if (hit && hit.body >= 0) found = { kind: 'body', index: hit.body };
    }
    this.select(found);
  }

  // ---- the loop ---------------------------------------------------------------------------------------

  run(): void {
    if (!this.halted) requestAnimationFrame((now) => this.tick(now));
  }

  /** Ends the loop: what is drawn from now on are the pictures of pictureAt(). Without a graphics card each drawing takes long. */
  halt(): void {
    this.halted = true;
  }

  private tick(now: number): void {
    if (this.halted) return;
    const seconds = Math.min((now - this.before) / 1000, 0.1);
    this.before = now;
    this.onTick();
    if (this.clock.playing && this.source.get(this.clock.locate().index)) {
      this.clock.advance(seconds);
      if (!this.clock.playing) this.transport.continuation?.resume();
      this.touch();
    }
    if (this.grown && now - this.chartsDrawn > CHART_PAUSE) {
      this.drawCharts();
      void this.loadTrack();
    }
    if (this.stale) this.show();
    const start = performance.now();
    if (this.scene.render()) {
      this.stats.pictures++;
      this.stats.milliseconds += performance.now() - start;
      this.film?.add();
    }
    if (this.film && !this.transport.moving) void this.stopFilm();
    this.run();
  }

  /** Shows the clock's time as far as its frames are here. */
  private show(): void {
    const { clock, source, constants } = this;
    this.stale = false;
    this.transport.show();
    if (!constants || !this.first) return;
    const { index, fraction } = clock.locate();
    this.charts.show(clock.time);
    this.tracks.show(clock.time);
    source.want(clock.playing ? clock.ahead(6, 1 / 60) : [index]);
    const frame = source.get(index);
    if (!frame) return; // it will come: source.onFrame
    const next = fraction > 0 ? source.get(index + 1) : null;
    interpolatePoses(frame.pose, next?.pose ?? frame.pose, next ? fraction : 0, this.pose, constants.period);
    interpolatePoints(frame.nodes.position, (next ?? frame).nodes.position, next ? fraction : 0, this.position);
    this.current = frame;
    this.contacts = placedContacts(frame, constants);
    this.drawBodies(frame, constants);
    this.drawForces(frame);
    this.drawSelection(constants);
    this.setView();
    this.inspector.show(this.selection, constants, frame);
    element('follow').setAttribute('aria-pressed', String(this.following));
    this.scene.touch();
  }

  private drawBodies(frame: Frame, constants: Constants): void {
    const bodies = this.scene.bodies!;
    const look = LOOKS[this.theme];
    const quantity = QUANTITIES[this.shown.colour];
    const values = quantity.values(frame, this.first!, constants);
    const most = quantity.unit ? this.most(quantity, frame) : 0;
    const colour = new THREE.Color();
    values.forEach((v, b) => {
      if (Number.isNaN(v) || (quantity.unit && constants.bodies.motion[b] !== 0)) colour.copy(look.still);
      else if (quantity.unit) viridis.at(v / most, colour);
      else colour.copy(category(v));
      this.rgb[3 * b] = colour.r;
      this.rgb[3 * b + 1] = colour.g;
      this.rgb[3 * b + 2] = colour.b;
    });
    bodies.opacity = this.shown.opacity;
    bodies.place(this.pose);
    bodies.paint(this.rgb, look.still);
    this.drawSolids(frame, constants, quantity, most);
    this.drawLegends(quantity, most);
  }

  /** A solid has a value at each node, or none; in the place of its number a colour of its own. */
  private drawSolids(frame: Frame, constants: Constants, quantity: Quantity, most: number): void {
    const solids = this.scene.solids!;
    if (!constants.flexible.count) return;
    const { still } = LOOKS[this.theme];
    const values = quantity.nodes?.(frame, constants);
    const own = this.shown.colour === 'body';
    solids.opacity = this.shown.opacity;
    solids.place(this.position);
    solids.paint((solid, node, out) => {
      if (values) viridis.at(values[node] / most, out);
      else out.copy(own ? category(constants.bodies.count + solid) : still);
    });
  }

  /** A frame of a growing run that sets the scales from now on, with those before. */
  sample(frame: Frame): void {
    this.samples = [...this.samples, frame].slice(-SAMPLES);
    this.scales.clear();
    this.touch();
  }

  /** Largest value of the sampled frames (found once), or of this one. */
  private most(quantity: Quantity, frame: Frame): number {
    const constants = this.constants!;
    if (!this.shown.fit) {
      const known = this.scales.get(this.shown.colour);
      if (known) return known;
    }
    let most = 0;
    for (const f of this.shown.fit ? [frame] : this.samples) {
      quantity.values(f, this.first!, constants).forEach((v, b) => {
        if (constants.bodies.motion[b] === 0 && v > most) most = v;
      });
      quantity.nodes?.(f, constants).forEach((v) => {
        if (v > most) most = v;
      });
    }
    if (!this.shown.fit) this.scales.set(this.shown.colour, most || 1);
    return most || 1;
  }

  /** N with full width: nearly the largest force of the sampled frames; peaks of a single step are ignored. */
  private mostForce(frame: Frame): number {
    const { step } = this.constants!;
    const { chains, thrust, fit, forceScale } = this.shown;
    const pairs = chains || thrust;
    const key = pairs ? 'pairs' : 'contacts';
    const known = fit ? undefined : this.scales.get(key);
    if (known) return known / 10 ** forceScale;
    const all: number[] = [];
    for (const f of fit ? [frame] : this.samples) {
      if (pairs) for (const pair of resultants(f.contacts, step)) all.push(pair.magnitude);
      else for (let k = 0; k < f.contacts.count; k++) all.push(magnitudeOf(f.contacts, k, step));
    }
    const sorted = all.filter((x) => x > 0).sort((a, b) => a - b);
    const most = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 1;
    if (!fit) this.scales.set(key, most);
    return most / 10 ** forceScale;
  }

  private drawLegends({ label, unit }: Quantity, most: number): void {
    const bars: Bar[] = [];
    const shown = prefixed(unit, most);
    if (unit)
      bars.push({ title: `${label} / ${shown.unit}`, map: viridis, low: 0, high: most / shown.of, open: !this.shown.fit, from: 0 });
    const { points, arrows, chains, thrust, pressure } = this.shown;
    if ((points || arrows || chains || thrust || this.selection?.kind === 'contact') && this.current?.contacts.count) {
      const what = chains || thrust ? 'Force between bodies' : 'Contact force';
      const forceUnit = this.constants!.step > 0 ? 'N' : 'N s';
      const high = this.mostForce(this.current);
      bars.push({ title: `${what} / ${forceUnit}`, map: forceMap(this.theme), low: 0, high, open: true, from: this.forceFrom() });
    }
    if (pressure && this.constants!.step > 0 && this.current?.contacts.count) bars.push(this.pressureBar(this.current));
    if (this.shown.bonds && this.current?.bonds.count) bars.push(bondBar(this.current.bonds));
    this.legends.show(bars, this.theme);
  }

  /** Where the colours of forces begin in their map: lines of thrust and arrows do without the palest ones. */
  private forceFrom(): number {
    const { chains, thrust } = this.shown;
    return chains ? 0.1 : thrust ? 0.4 : 0.25;
  }

  private pressureBar(frame: Frame): Bar {
    const most = this.mostPressure(frame);
    const shown = prefixed('Pa', most);
    return { title: `Mean interface pressure / ${shown.unit}`, map: viridis, low: 0, high: most / shown.of, open: !this.shown.fit, from: 0 };
  }

  /** Pa: largest mean pressure of an interface in the sampled frames, or in this one. */
  private mostPressure(frame: Frame): number {
    const { fit } = this.shown;
    const known = fit ? undefined : this.scales.get('interfaces');
    if (known) return known;
    let most = 0;
    for (const { contacts } of fit ? [frame] : this.samples)
      for (const { force, area } of findInterfaces(contacts, this.constants!.step)) most = Math.max(most, force / area);
    if (!fit) this.scales.set('interfaces', most || 1);
    return most || 1;
  }

  private drawForces(frame: Frame): void {
    const { points, arrows, chains, thrust, pressure, bonds, joints } = this.shown;
    const { scene, theme } = this;
    const { size } = scene;
    const selected = this.selection?.kind === 'contact' ? this.selection.index : -1;
    const most = points || arrows || chains || thrust || selected >= 0 ? this.mostForce(frame) : 1;
    scene.forces!.update(this.contacts, this.pose, { points, arrows, chains, selected, most, size, theme });
    if (thrust) scene.thrust!.update(this.contacts, this.pose, { most, from: this.forceFrom(), size, theme });
    else scene.thrust!.clear();
    if (pressure && this.constants!.step > 0) scene.patches!.update(this.contacts, this.mostPressure(frame));
    else scene.patches!.clear();
    if (bonds) scene.bonds!.update(frame.bonds);
    else scene.bonds!.clear();
    scene.joints!.object.visible = joints;
    if (!joints || !this.constants!.joints.count) return;
    const force = forceMap(theme).at(0.7, new THREE.Color());
    scene.joints!.update(frame, this.pose, new THREE.Color(LOOKS[theme].accent), force, this.mostReaction());
  }

  /** N: largest reaction of the sampled frames. */
  private mostReaction(): number {
    let most = this.scales.get('reactions') ?? 0;
    if (!most) {
      for (const { reaction } of this.samples)
        for (let k = 0; k < reaction.length; k += 6) most = Math.max(most, Math.hypot(reaction[k], reaction[k + 1], reaction[k + 2]));
      this.scales.set('reactions', most);
    }
    return most / 10 ** this.shown.forceScale;
  }

  private drawSelection(constants: Constants): void {
    const { marks, bodies, size } = this.scene;
    const s = this.selection;
    marks.clear();
    if (s?.kind === 'body' && s.index < constants.bodies.count) {
      const still = this.pose.slice();
      still.set([0, 0, 0, 1, 0, 0, 0], 7 * s.index);
      marks.showBody(bodies!.boundsOf(s.index, still, new THREE.Box3()), this.pose.subarray(7 * s.index, 7 * s.index + 7));
      this.moveWith(s.index);
    }
    if (s?.kind === 'solid' && s.index < constants.flexible.count) {
      const node = s.node === undefined ? null : new THREE.Vector3().fromArray(this.position, 3 * s.node);
      marks.showSolid(boundsOfSolid(constants.flexible, s.index, this.position, new THREE.Box3()), node, size);
    }
    if (s?.kind !== 'contact' || s.index >= this.contacts.count) return;
    const { contacts } = this;
    const point = new THREE.Vector3().fromArray(contacts.point, 3 * s.index);
    const normal = new THREE.Vector3().fromArray(contacts.normal, 3 * s.index);
    const force = new THREE.Vector3().fromArray(contacts.impulse, 3 * s.index);
    const mu = contacts.friction?.[s.index] ?? mobilised(normal, force);
    marks.showContact(point, normal, mu, 1.2 * size, size);
  }

  private setView(): void {
    const { scene, shown } = this;
    scene.orthographic = shown.orthographic;
    scene.section.axis = shown.section;
    scene.section.at = shown.cut;
  }

  private moveWith(body: number): void {
    if (!this.following) return;
    const at = new THREE.Vector3().fromArray(this.pose, 7 * body);
    if (Number.isNaN(at.x)) return;
    if (this.followed) this.scene.follow(at.clone().sub(this.followed));
    this.followed = at;
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    this.scene.resize(clientWidth, clientHeight, Math.min(window.devicePixelRatio, 2));
  }

  // ---- pictures and films -----------------------------------------------------------------------------

  async picture(): Promise<Blob> {
    this.show();
    this.scene.render();
    return toPng(compose(this.canvas, this.legends.bars, this.theme));
  }

  /** The picture of a time, which may lie between two frames. */
  async pictureAt(time: number): Promise<Blob> {
    const { clock, source } = this;
    const { index } = clock.locate(time);
    await source.frame(index);
    if (index + 1 < clock.frames) await source.frame(index + 1);
    clock.time = Math.min(Math.max(time, clock.times[0]), clock.times[clock.frames - 1]);
    clock.playing = true; // standing still shows frames only
    const png = this.picture();
    clock.playing = false;
    return png;
  }

  async savePicture(): Promise<void> {
    save(await this.picture(), `${this.name.replace(/\.h5$/, '')}-${this.clock.time.toFixed(3)}s.png`);
  }

  /** Films from here to the end, or until asked again. */
  toggleFilm(): void {
    if (this.film) return void this.stopFilm();
    try {
      this.film = new Film(this.canvas, () => this.legends.bars, () => this.theme);
    } catch (error) {
      return this.complain(error instanceof Error ? error.message : String(error));
    }
    element('record').setAttribute('aria-pressed', 'true');
    if (!this.transport.moving) this.transport.toggle();
  }

  private async stopFilm(): Promise<void> {
    const film = this.film;
    this.film = null;
    element('record').setAttribute('aria-pressed', 'false');
    if (film) save(await film.stop(), `${this.name.replace(/\.h5$/, '')}.webm`);
  }
}

function count(n: number, one: string, more: string): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : more}`;
}

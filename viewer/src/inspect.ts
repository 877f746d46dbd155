// Numbers of the selected body, flexible solid or contact, as the file has them.
import * as THREE from 'three';
import { countStates } from './bonds';
import { format } from './colours';
import { magnitudeOf } from './contacts';
import { mobilised } from './marks';
import { kineticEnergy, nodeDisplacements, nodeSpeeds } from './quantities';
import { element } from './timeline';
import { FIRST_SOLID, JOINT_NAMES, MOTION_NAMES, SHAPE_NAMES, type Frame, type Constants } from './types';

/** node: the picked one of a solid, row among the nodes of all. */
export type Selection =
  | { kind: 'body'; index: number }
  | { kind: 'contact'; index: number }
  | { kind: 'solid'; index: number; node?: number }
  | null;

type Row = [label: string, value: string, exact?: number | number[]];

export function nameOf(constants: Constants, b: number): string {
  if (b === -1) return 'the world';
  if (b <= FIRST_SOLID) return constants.flexible.name[FIRST_SOLID - b] || `solid ${FIRST_SOLID - b}`;
  if (b < 0) return 'a later body';
  return constants.bodies.name[b] || `body ${b}`;
}

function vector(v: Float64Array, at: number, scale = 1): { text: string; exact: number[] } {
  const exact = [0, 1, 2].map((k) => v[at + k] * scale);
  const least = 1e-12 * Math.hypot(...exact); // rounding is not worth its digits
  return { text: exact.map((x) => format(Math.abs(x) < least ? 0 : x)).join(', '), exact };
}

function countContacts(frame: Frame, side: number): number {
  let touching = 0;
  for (let k = 0; k < frame.contacts.count; k++)
    if (frame.contacts.body[2 * k] === side || frame.contacts.body[2 * k + 1] === side) touching++;
  return touching;
}

/** The largest values of a solid, then those of the picked node. */
function solidRows(constants: Constants, frame: Frame, k: number, node?: number): Row[] {
  const { nodeOffset, rest, triangleOffset } = constants.flexible;
  const [from, to] = [nodeOffset[k], nodeOffset[k + 1]];
  const values: [string, Float64Array][] = [
    ['displacement / m', nodeDisplacements(frame, constants)],
    ['speed / m/s', nodeSpeeds(frame)],
    ['von Mises / Pa', frame.nodes.vonMises],
    ['pressure / Pa', frame.nodes.pressure],
  ];
  const rows: Row[] = [
    ['nodes', String(to - from), to - from],
    ['surface triangles', String(triangleOffset[k + 1] - triangleOffset[k])],
  ];
  for (const [label, all] of values) {
    const most = all.subarray(from, to).reduce((a, b) => Math.max(a, b), 0);
    rows.push([`most ${label}`, format(most), most]);
  }
  if (constants.hasContacts) {
    const touching = countContacts(frame, FIRST_SOLID - k);
    rows.push(['contacts', String(touching), touching]);
  }
  if (node === undefined || !(node >= from && node < to)) return rows;
  const x = vector(frame.nodes.position, 3 * node);
  const x0 = vector(rest, 3 * node);
  rows.push(['node', String(node - from), node - from], ['position / m', x.text, x.exact], ['at rest / m', x0.text, x0.exact]);
  for (const [label, all] of values) rows.push([label, format(all[node]), all[node]]);
  return rows;
}

function bodyRows(constants: Constants, frame: Frame, b: number): Row[] {
  const { bodies, colliders, shapes, joints } = constants;
  const kinds = new Map<string, number>();
  for (let c = 0; c < colliders.count; c++) {
    if (colliders.body[c] !== b) continue;
    const kind = SHAPE_NAMES[shapes.kind[colliders.shape[c]]] ?? 'shape';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const x = vector(frame.pose, 7 * b);
  const v = vector(frame.velocity, 6 * b);
  const w = vector(frame.velocity, 6 * b + 3);
  const rows: Row[] = [
    ['shape', [...kinds].map(([kind, n]) => (n > 1 ? `${n} × ${kind}` : kind)).join(', ') || 'none'],
    ['motion', MOTION_NAMES[bodies.motion[b]] ?? '?'],
  ];
  if (bodies.motion[b] === 0) rows.push(['mass / kg', format(bodies.mass[b]), bodies.mass[b]]);
  rows.push(['position / m', x.text, x.exact], ['velocity / m/s', v.text, v.exact], ['spin / rad/s', w.text, w.exact]);
  if (bodies.motion[b] === 0) {
    const energy = kineticEnergy(frame, constants, b);
    rows.push(['kinetic / J', format(energy), energy]);
  }
  const touching = countContacts(frame, b);
  if (constants.hasContacts) rows.push(['contacts', String(touching), touching]);
  if (constants.hasBonds) {
    const { holds, weakened, broken } = countStates(frame.bonds, b);
    rows.push(['bonds', `${holds} hold, ${weakened} weakened, ${broken} broken`, [holds, weakened, broken]]);
  }
  for (let j = 0; j < joints.count; j++) {
    if ((joints.body[2 * j] !== b && joints.body[2 * j + 1] !== b) || Number.isNaN(frame.reaction[6 * j])) continue;
    const f = Math.hypot(...frame.reaction.subarray(6 * j, 6 * j + 3));
    const t = Math.hypot(...frame.reaction.subarray(6 * j + 3, 6 * j + 6));
    const name = joints.name[j] || JOINT_NAMES[joints.kind[j]] || `joint ${j}`;
    rows.push([`joint ${name}`, `${format(f)} N, ${format(t)} N m`, [f, t]]);
  }
  return rows;
}

function contactRows(constants: Constants, frame: Frame, k: number): Row[] {
  const { contacts } = frame;
  const per = constants.step > 0 ? 1 / constants.step : 1;
  const unit = constants.step > 0 ? 'N' : 'N s';
  const normal = new THREE.Vector3().fromArray(contacts.normal, 3 * k);
  const force = new THREE.Vector3().fromArray(contacts.impulse, 3 * k).multiplyScalar(per);
  const fn = force.dot(normal);
  const ft = force.clone().addScaledVector(normal, -fn).length();
  const f = vector(contacts.impulse, 3 * k, per);
  const p = vector(contacts.point, 3 * k);
  const v = vector(contacts.velocity, 3 * k);
  const size = magnitudeOf(contacts, k, constants.step);
  const rows: Row[] = [
    ['from', nameOf(constants, contacts.body[2 * k])],
    ['on', nameOf(constants, contacts.body[2 * k + 1])],
    [`force / ${unit}`, f.text, f.exact],
    [`magnitude / ${unit}`, format(size), size],
    [`normal / ${unit}`, format(fn), fn],
    [`tangential / ${unit}`, format(ft), ft],
    ['tangential : normal', format(mobilised(normal, force)), mobilised(normal, force)],
  ];
  if (contacts.friction) rows.push(['friction μ', format(contacts.friction[k]), contacts.friction[k]]);
  if (contacts.moment?.subarray(3 * k, 3 * k + 3).some((x) => x !== 0)) {
    const m = vector(contacts.moment, 3 * k, per);
    rows.push([`rolling and spinning moment / ${unit} m`, m.text, m.exact]);
  }
  rows.push(['gap / m', format(contacts.gap[k]), contacts.gap[k]]);
  rows.push(['point / m', p.text, p.exact], ['slip and opening / m/s', v.text, v.exact]);
  return rows;
}

export class Inspector {
  private readonly table = element<HTMLTableElement>('numbers');
  private readonly pickBody = element<HTMLInputElement>('pick-body');
  private readonly pickSolid = element<HTMLInputElement>('pick-solid');
  private readonly pickContact = element<HTMLInputElement>('pick-contact');
  onPick: (selection: Selection) => void = () => undefined;

  constructor() {
    this.pickBody.addEventListener('change', () => this.onPick(toSelection('body', this.pickBody)));
    this.pickSolid.addEventListener('change', () => this.onPick(toSelection('solid', this.pickSolid)));
    this.pickContact.addEventListener('change', () => this.onPick(toSelection('contact', this.pickContact)));
  }

  show(selection: Selection, constants: Constants, frame: Frame): void {
    const counts = { body: constants.bodies.count, solid: constants.flexible.count, contact: frame.contacts.count };
    const there = selection !== null && selection.index < counts[selection.kind];
    this.table.hidden = element('selection-buttons').hidden = !there;
    element('hint').hidden = there;
    element('follow').hidden = selection?.kind !== 'body';
    this.pickSolid.parentElement!.hidden = counts.solid === 0;
    for (const [kind, input] of [
      ['body', this.pickBody],
      ['solid', this.pickSolid],
      ['contact', this.pickContact],
    ] as const) {
      input.max = String(Math.max(counts[kind] - 1, 0));
      if (document.activeElement !== input) input.value = there && selection.kind === kind ? String(selection.index) : '';
    }
    if (!there) return;
    const { kind, index } = selection;
    const row = kind === 'solid' ? FIRST_SOLID - index : index;
    element('what').textContent = kind === 'contact' ? `Contact ${index} of ${counts.contact}` : nameOf(constants, row);
    const rows =
      kind === 'body'
        ? bodyRows(constants, frame, index)
        : kind === 'solid'
          ? solidRows(constants, frame, index, selection.node)
          : contactRows(constants, frame, index);
    this.table.tBodies[0].replaceChildren(...rows.map(toTableRow));
  }
}

function toSelection(kind: 'body' | 'solid' | 'contact', input: HTMLInputElement): Selection {
  const index = Number(input.value);
  return input.value !== '' && Number.isInteger(index) && index >= 0 ? { kind, index } : null;
}

function toTableRow([label, value, exact]: Row): HTMLTableRowElement {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = label;
  const cell = document.createElement('td');
  cell.textContent = value;
  if (exact !== undefined) cell.title = [exact].flat().join('  '); // all digits
  row.append(head, cell);
  return row;
}

// Numbers of the selected body or contact, as the file has them.
import * as THREE from 'three';
import { format } from './colours';
import { magnitudeOf } from './contacts';
import { mobilised } from './marks';
import { kineticEnergy } from './quantities';
import { element } from './timeline';
import { JOINT_NAMES, MOTION_NAMES, SHAPE_NAMES, type Frame, type Statics } from './types';

export type Selection = { kind: 'body'; index: number } | { kind: 'contact'; index: number } | null;

type Row = [label: string, value: string, exact?: number | number[]];

export function nameOf(statics: Statics, b: number): string {
  if (b === -1) return 'the world';
  if (b < 0) return 'a later body';
  return statics.bodies.name[b] || `body ${b}`;
}

function vector(v: Float64Array, at: number, scale = 1): { text: string; exact: number[] } {
  const exact = [0, 1, 2].map((k) => v[at + k] * scale);
  const least = 1e-12 * Math.hypot(...exact); // rounding is not worth its digits
  return { text: exact.map((x) => format(Math.abs(x) < least ? 0 : x)).join(', '), exact };
}

function bodyRows(statics: Statics, frame: Frame, b: number): Row[] {
  const { bodies, colliders, shapes, joints } = statics;
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
    const energy = kineticEnergy(frame, statics, b);
    rows.push(['kinetic / J', format(energy), energy]);
  }
  let touching = 0;
  for (let k = 0; k < frame.contacts.count; k++)
    if (frame.contacts.body[2 * k] === b || frame.contacts.body[2 * k + 1] === b) touching++;
  if (statics.hasContacts) rows.push(['contacts', String(touching), touching]);
  for (let j = 0; j < joints.count; j++) {
    if (joints.body[2 * j] !== b && joints.body[2 * j + 1] !== b) continue;
    const f = Math.hypot(...frame.reaction.subarray(6 * j, 6 * j + 3));
    const t = Math.hypot(...frame.reaction.subarray(6 * j + 3, 6 * j + 6));
    const name = joints.name[j] || JOINT_NAMES[joints.kind[j]] || `joint ${j}`;
    rows.push([`joint ${name}`, `${format(f)} N, ${format(t)} N m`, [f, t]]);
  }
  return rows;
}

function contactRows(statics: Statics, frame: Frame, k: number): Row[] {
  const { contacts } = frame;
  const per = statics.step > 0 ? 1 / statics.step : 1;
  const unit = statics.step > 0 ? 'N' : 'N s';
  const normal = new THREE.Vector3().fromArray(contacts.normal, 3 * k);
  const force = new THREE.Vector3().fromArray(contacts.impulse, 3 * k).multiplyScalar(per);
  const fn = force.dot(normal);
  const ft = force.clone().addScaledVector(normal, -fn).length();
  const f = vector(contacts.impulse, 3 * k, per);
  const p = vector(contacts.point, 3 * k);
  const v = vector(contacts.velocity, 3 * k);
  const size = magnitudeOf(contacts, k, statics.step);
  const rows: Row[] = [
    ['from', nameOf(statics, contacts.body[2 * k])],
    ['on', nameOf(statics, contacts.body[2 * k + 1])],
    [`force / ${unit}`, f.text, f.exact],
    [`magnitude / ${unit}`, format(size), size],
    [`normal / ${unit}`, format(fn), fn],
    [`tangential / ${unit}`, format(ft), ft],
    ['tangential : normal', format(mobilised(normal, force)), mobilised(normal, force)],
  ];
  if (contacts.friction) rows.push(['friction μ', format(contacts.friction[k]), contacts.friction[k]]);
  rows.push(['gap / m', format(contacts.gap[k]), contacts.gap[k]]);
  rows.push(['point / m', p.text, p.exact], ['slip and opening / m/s', v.text, v.exact]);
  return rows;
}

export class Inspector {
  private readonly table = element<HTMLTableElement>('numbers');
  private readonly pickBody = element<HTMLInputElement>('pick-body');
  private readonly pickContact = element<HTMLInputElement>('pick-contact');
  onPick: (selection: Selection) => void = () => undefined;

  constructor() {
    this.pickBody.addEventListener('change', () => this.onPick(toSelection('body', this.pickBody)));
    this.pickContact.addEventListener('change', () => this.onPick(toSelection('contact', this.pickContact)));
  }

  show(selection: Selection, statics: Statics, frame: Frame): void {
    const there =
      selection !== null && selection.index < (selection.kind === 'body' ? statics.bodies.count : frame.contacts.count);
    this.table.hidden = element('selection-buttons').hidden = !there;
    element('hint').hidden = there;
    element('follow').hidden = selection?.kind !== 'body';
    this.pickBody.max = String(statics.bodies.count - 1);
    this.pickContact.max = String(Math.max(frame.contacts.count - 1, 0));
    if (document.activeElement !== this.pickBody) this.pickBody.value = there && selection.kind === 'body' ? String(selection.index) : '';
    if (document.activeElement !== this.pickContact)
      this.pickContact.value = there && selection.kind === 'contact' ? String(selection.index) : '';
    if (!there) return;
    const { kind, index } = selection;
    element('what').textContent = kind === 'body' ? nameOf(statics, index) : `Contact ${index} of ${frame.contacts.count}`;
    const rows = kind === 'body' ? bodyRows(statics, frame, index) : contactRows(statics, frame, index);
    this.table.tBodies[0].replaceChildren(...rows.map(toTableRow));
  }
}

function toSelection(kind: 'body' | 'contact', input: HTMLInputElement): Selection {
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

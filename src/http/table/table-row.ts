import { encodeJson } from '../../codec/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import type { Item } from '../list-response.ts';
import { AgeCell, type IncludeObject, includedObject, type TableLayout } from './table.ts';

/** A row as JSON, without the cells that depend on the current time. Immutable and shared by all responses. */
export class TableRow {
  readonly #bytes: Buffer;
  /** The byte offsets of age cells, in order. */
  readonly #ages: readonly Hole[];

  constructor(bytes: Buffer, ages: readonly Hole[]) {
    this.#bytes = bytes;
    this.#ages = ages;
  }

  /** Its approximate memory in bytes. */
  get size(): number {
    return this.#bytes.length + rowOverheadBytes;
  }

  /** The row at a time, in ms since 1970. An age is encoded once per list: most rows have the same. */
  at(nowMs: number, encoded: Map<string, Buffer> = new Map()): Item {
    return new RowAt(this.#bytes, this.#ages, (cell) => {
      const text = cell.at(nowMs);
      const known = encoded.get(text);
      if (known !== undefined) return known;
      const made = encodeJson(text);
      encoded.set(text, made);
      return made;
    });
  }
}

/** A row at a time. */
class RowAt implements Item {
  readonly #bytes: Buffer;
  readonly #ages: readonly Hole[];
  readonly #texts: Buffer[] = [];
  readonly #length: number;

  constructor(bytes: Buffer, ages: readonly Hole[], encode: (cell: AgeCell) => Buffer) {
    this.#bytes = bytes;
    this.#ages = ages;
    let length = bytes.length;
    for (const { cell } of ages) {
      const text = encode(cell);
      this.#texts.push(text);
      length += text.length;
    }
    this.#length = length;
  }

  length(): number {
    return this.#length;
  }

  writeTo(target: Buffer, start: number): number {
    const bytes = this.#bytes;
    let [from, to] = [0, start];
    for (const [index, { at }] of this.#ages.entries()) {
      to += bytes.copy(target, to, from, at);
      to += this.#texts[index]?.copy(target, to) ?? 0;
      from = at;
    }
    return to + bytes.copy(target, to, from);
  }
}

interface Hole {
  readonly at: number;
  readonly cell: AgeCell;
}

/** The overhead of a row besides its bytes: two objects, a list, and the timestamps. */
const rowOverheadBytes = 200;

/** The row of an object. */
export function tableRow(
  object: KubeObject,
  layout: TableLayout,
  { include, version }: { readonly include: IncludeObject; readonly version: string },
): TableRow {
  const ages: Hole[] = [];
  const pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
  };
  add(cellsStart);
  for (const [index, cell] of layout.cells(object).entries()) {
    if (index > 0) add(comma);
    if (cell instanceof AgeCell) ages.push({ at: length, cell });
    else add(encodeJson(cell));
  }
  add(objectStart);
  add(encodeJson(includedObject(object, include, version)));
  add(rowEnd);
  return new TableRow(exactCopy(pieces, length), ages);
}

const cellsStart = Buffer.from('{"cells":[');
const objectStart = Buffer.from('],"object":');
const rowEnd = Buffer.from('}');
const comma = Buffer.from(',');

/** A separate buffer: a slice would retain its whole pool. */
function exactCopy(pieces: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}

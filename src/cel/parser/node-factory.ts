import type {
  CallExpr,
  ComprehensionExpr,
  ConstExpr,
  Expr,
  IdentExpr,
  ListExpr,
  MapEntry,
  MapExpr,
  SelectExpr,
  StructExpr,
} from '../ast/expression.ts';
import type { Value } from '../values/value.ts';
import { TooDeep } from './depths.ts';
import { parserLimits } from './limits.ts';

const noOptionals: ReadonlySet<number> = new Set();

/** Creates nodes with ids in cel-go's order, and records their positions. */
export class NodeFactory {
  readonly offsets: (number | undefined)[] = [];
  #nextId = 1;

  id(offset: number): number {
    const id = this.#nextId++;
    if (id > parserLimits.nodes) throw new TooDeep(`expression node limit exceeded: ${parserLimits.nodes}`);
    this.offsets[id] = offset;
    return id;
  }

  /** An id whose position is not known yet. */
  idAt(id: number, offset: number): void {
    this.offsets[id] = offset;
  }

  /** Releases an id; it is reused if it was the last one assigned. */
  dropId(id: number): void {
    this.offsets[id] = undefined;
    if (id === this.#nextId - 1) this.#nextId--;
  }

  offsetOf(id: number): number {
    return this.offsets[id] ?? -1;
  }

  constant(id: number, value: Value): ConstExpr {
    return { kind: 'const', id, value };
  }

  ident(id: number, name: string): IdentExpr {
    return { kind: 'ident', id, name };
  }

  select(id: number, operand: Expr, field: string, test = false): SelectExpr {
    return { kind: 'select', id, operand, field, test };
  }

  call(id: number, name: string, args: readonly Expr[], target?: Expr): CallExpr {
    return { kind: 'call', id, name, target, args };
  }

  list(id: number, elements: readonly Expr[], optionals: ReadonlySet<number> = noOptionals): ListExpr {
    return { kind: 'list', id, elements, optionals };
  }

  map(id: number, entries: readonly MapEntry[]): MapExpr {
    return { kind: 'map', id, entries };
  }

  struct(id: number, typeName: string, fields: StructExpr['fields']): StructExpr {
    return { kind: 'struct', id, typeName, fields };
  }

  comprehension(id: number, parts: Omit<ComprehensionExpr, 'kind' | 'id'>): ComprehensionExpr {
    return { kind: 'comprehension', id, ...parts };
  }
}

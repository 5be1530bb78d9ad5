import { type CelError, isError } from '../values/cel-error.ts';
import { valuesEqual } from '../values/equality.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import type { Result, Value } from '../values/value.ts';
import { ListOverList } from './list-over-list.ts';
import { scalarIdentity } from './set-list.ts';

/** A list of Kubernetes' list type `map`: elements are identified by their key fields, not by index. */
export class MapKeyedList extends ListOverList {
  readonly #keyFields: readonly string[];

  constructor(list: CelList, keyFields: readonly string[]) {
    super(list);
    this.#keyFields = keyFields;
  }

  override equals(other: Value): boolean | CelError {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    const mine = this.#byKey(this);
    if (isError(mine)) return mine;
    const others = this.#byKey(other);
    if (isError(others)) return others;
    if (mine.size !== others.size) return false;
    for (const [key, value] of others) {
      const own = mine.get(key);
      if (own === undefined) return false;
      const equal = valuesEqual(own, value);
      if (equal !== true) return equal;
    }
    return true;
  }

  /** Elements of the other list replace those with the same key; the rest is appended. */
  override concat(other: CelList): Result {
    const merged = this.#byKey(this);
    if (isError(merged)) return merged;
    const others = this.#byKey(other);
    if (isError(others)) return others;
    for (const [key, value] of others) merged.set(key, value);
    return new MapKeyedList(new ArrayList([...merged.values()]), this.#keyFields);
  }

  #byKey(list: CelList): Map<string, Value> | CelError {
    const byKey = new Map<string, Value>();
    for (let index = 0; index < list.size; index++) {
      const value = list.at(index);
      if (isError(value)) return value;
      byKey.set(JSON.stringify(this.#keyFields.map((field) => fieldIdentity(value, field))), value);
    }
    return byKey;
  }
}

function fieldIdentity(value: Value, field: string): string | null {
  const found = value instanceof CelMap ? value.find(field) : undefined;
  if (found === undefined || isError(found)) return null;
  const identity = scalarIdentity(found);
  return `${typeof identity} ${String(identity)}`;
}

import { CelBytes } from '../values/bytes.ts';
import { CelError, isError } from '../values/cel-error.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration } from '../values/duration.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelTimestamp } from '../values/timestamp.ts';
import type { Result, Value } from '../values/value.ts';
import { ListOverList } from './list-over-list.ts';

/** A list of Kubernetes' list type `set`: `==` ignores the order, and `+` appends only missing elements. */
export class SetList extends ListOverList {
  override equals(other: Value): boolean | CelError {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    const mine = identities(this);
    if (isError(mine)) return mine;
    const others = identities(other);
    if (isError(others)) return others;
    return mine.size === others.size && [...others.keys()].every((identity) => mine.has(identity));
  }

  override concat(other: CelList): Result {
    const mine = identities(this);
    if (isError(mine)) return mine;
    const others = identities(other);
    const elements = this.elements();
    if (isError(others)) return others;
    if (isError(elements)) return elements;
    for (const [identity, value] of others) if (!mine.has(identity)) elements.push(value);
    return new SetList(new ArrayList(elements));
  }
}

/** The elements keyed by something that is `===` for equal ones, in order, without duplicates. */
function identities(list: CelList): Map<unknown, Value> | CelError {
  const found = new Map<unknown, Value>();
  for (let index = 0; index < list.size; index++) {
    const value = list.at(index);
    if (isError(value)) return value;
    if (value instanceof CelList || value instanceof CelMap) {
      return new CelError('listSet operations are only supported on lists of scalar values');
    }
    const identity = scalarIdentity(value);
    if (!found.has(identity)) found.set(identity, value);
  }
  return found;
}

/** A key that is `===` for scalars of the same type and value. */
export function scalarIdentity(value: Value): unknown {
  if (value instanceof CelDouble) return `double ${value.value}`;
  if (value instanceof CelBytes) return `bytes ${Buffer.from(value.bytes).toString('base64')}`;
  if (value instanceof CelTimestamp) return `timestamp ${value.epochNanos}`;
  if (value instanceof CelDuration) return `duration ${value.nanos}`;
  return typeof value === 'string' ? `string ${value}` : value;
}

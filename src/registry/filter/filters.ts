import type { Environment } from '../../cel/index.ts';
import type { Clock } from '../../meta/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import type { Represented } from '../representation/represented.ts';
import { Filter } from './filter.ts';
import { FilterFields } from './filter-fields.ts';
import { type FilterTime, timeOfList, timeOfWatch } from './filter-time.ts';

/** Number of compiled filters that are cached; the least recently used one is evicted. */
const filtersMax = 256;

/** Compiles filters, and caches the most recent ones. */
export class Filters {
  readonly #environment: () => Environment;
  readonly #clock: Clock;
  readonly #compiled = new Map<string, { readonly version: ResourceVersion; readonly filter: Filter }>();

  /** @param environment created with the first filter: most servers never need one */
  constructor(environment: () => Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  /** Starts the time limit for the filter of a request. */
  timeOf(verb: 'list' | 'watch'): FilterTime {
    return verb === 'list' ? timeOfList(this.#clock) : timeOfWatch(this.#clock);
  }

  /** @throws {StatusError} 400 for an invalid expression */
  get(source: string, { type, version }: Represented): Filter {
    const key = `${type.group}/${type.resource}/${version.name} ${source}`;
    const known = this.#compiled.get(key);
    this.#compiled.delete(key);
    const entry =
      known?.version === version ? known : { version, filter: this.#compile(source, { type, version }) };
    this.#compiled.set(key, entry);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > filtersMax && oldest !== undefined) this.#compiled.delete(oldest);
    return entry.filter;
  }

  #compile(source: string, { type, version }: Pick<Represented, 'type' | 'version'>): Filter {
    return new Filter(source, new FilterFields(version.selectableFields, type), this.#environment());
  }
}

import { isObject, type JsonObject, type JsonValue, own } from '../../meta/index.ts';

/** Which steps a normalization takes: all of them, unless it says otherwise. */
interface NormalizeRunOptions {
  readonly track: boolean;
  readonly dropInvalidMetadata: boolean;
  readonly applyDefaults?: boolean | undefined;
  readonly onlyDefaults?: boolean | undefined;
  readonly settled?: JsonObject | undefined;
  readonly scalarMaps?: ReadonlySet<JsonValue> | undefined;
}

/** What one normalization needs besides the value: where it is, and what it dropped. */
export class NormalizeRun {
  /** The steps from the root to the current value; only those up to its depth are valid. */
  readonly steps: (string | number)[] = [];
  /** Paths of pruned fields; undefined if they are not collected. */
  readonly pruned: string[] | undefined;
  /** Paths of unknown fields in the metadata of embedded resources. */
  readonly unknownMetadata: string[] | undefined;
  readonly dropInvalidMetadata: boolean;
  readonly applyDefaults: boolean;
  readonly onlyDefaults: boolean;
  /** What stands in the settled object where {@link steps} lead; undefined where there is none. */
  readonly #settled: (JsonValue | undefined)[] | undefined;
  readonly #scalarMaps: ReadonlySet<JsonValue> | undefined;

  constructor(options: NormalizeRunOptions) {
    const { track, dropInvalidMetadata, applyDefaults, onlyDefaults, settled } = options;
    this.pruned = track ? [] : undefined;
    this.unknownMetadata = track ? [] : undefined;
    this.dropInvalidMetadata = dropInvalidMetadata;
    this.applyDefaults = applyDefaults ?? true;
    this.onlyDefaults = onlyDefaults ?? false;
    this.#settled = settled === undefined ? undefined : [settled];
    this.#scalarMaps = options.scalarMaps;
  }

  /**
   * Goes from the value at a depth to one below it; false where that one is in shape, and need not be looked at.
   */
  enter(step: string | number, value: JsonValue, depth: number): boolean {
    this.steps[depth] = step;
    if (this.#scalarMaps?.has(value) === true) return false;
    if (this.#settled === undefined) return true;
    const twin = childOf(this.#settled[depth], step);
    this.#settled[depth + 1] = twin;
    return twin !== value;
  }

  /** Notes that a key of the value at a depth was dropped. */
  drop(key: string, depth: number): void {
    if (this.pruned === undefined) return;
    let path = '';
    for (let at = 0; at < depth; at += 1) {
      const step = this.steps[at];
      path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`;
    }
    this.pruned.push(path === '' ? key : `${path}.${key}`);
  }
}

function childOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return isObject(value) ? own(value, step) : undefined;
}

import { isObject, type JsonObject, type JsonValue, own } from '../../meta/index.ts';

/** The steps of a normalization; all by default. */
interface NormalizeRunOptions {
  readonly track: boolean;
  readonly dropInvalidMetadata: boolean;
  readonly applyDefaults?: boolean | undefined;
  readonly onlyDefaults?: boolean | undefined;
  readonly settled?: JsonObject | undefined;
  readonly scalarMaps?: ReadonlySet<JsonValue> | undefined;
}

/** The state of one normalization: the current path, and the dropped fields. */
export class NormalizeRun {
  /** The steps from the root to the current value; valid up to its depth. */
  readonly steps: (string | number)[] = [];
  /** Paths of pruned fields; undefined if not collected. */
  readonly pruned: string[] | undefined;
  /** Paths of unknown fields in the metadata of embedded resources. */
  readonly unknownMetadata: string[] | undefined;
  readonly dropInvalidMetadata: boolean;
  readonly applyDefaults: boolean;
  readonly onlyDefaults: boolean;
  /** The value of the normalized object at {@link steps}; undefined if there is none. */
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
   * Descends from the value at a depth; false if the child is already normalized and can be skipped.
   */
  enter(step: string | number, value: JsonValue, depth: number): boolean {
    this.steps[depth] = step;
    if (this.#scalarMaps?.has(value) === true) return false;
    if (this.#settled === undefined) return true;
    const twin = childOf(this.#settled[depth], step);
    this.#settled[depth + 1] = twin;
    return twin !== value;
  }

  /** Records that a key of the value at a depth was dropped. */
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

/** Which steps a normalization takes; defaults and nulls are dealt with unless it says otherwise. */
export interface NormalizeRunOptions {
  readonly track: boolean;
  readonly dropInvalidMetadata: boolean;
  readonly applyDefaults?: boolean | undefined;
  readonly dropNulls?: boolean | undefined;
}

/** What one normalization needs besides the value: where it is, and what it dropped. */
export class NormalizeRun {
  /** The steps from the root to the value at hand; only those up to its depth are valid. */
  readonly steps: (string | number)[] = [];
  /** Paths of pruned fields; undefined where nobody asks. */
  readonly pruned: string[] | undefined;
  /** Paths of unknown fields in the metadata of embedded resources. */
  readonly unknownMetadata: string[] | undefined;
  readonly dropInvalidMetadata: boolean;
  readonly applyDefaults: boolean;
  readonly dropNulls: boolean;

  constructor({ track, dropInvalidMetadata, applyDefaults, dropNulls }: NormalizeRunOptions) {
    this.pruned = track ? [] : undefined;
    this.unknownMetadata = track ? [] : undefined;
    this.dropInvalidMetadata = dropInvalidMetadata;
    this.applyDefaults = applyDefaults ?? true;
    this.dropNulls = dropNulls ?? true;
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

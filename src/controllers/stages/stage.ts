/** What a stage asks of a field: `{ key: '.status.phase', operator: 'In', values: ['Pending'] }`. */
export interface StageExpression {
  /** The steps to the field. */
  readonly path: readonly string[];
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** The objects that a stage is for. */
export interface StageSelector {
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  readonly expressions: readonly StageExpression[];
}

/** An event that a stage records. */
export interface StageEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** A patch, as text in YAML that may name the present time. */
export interface StagePatch {
  readonly subresource: '' | 'status';
  /** The field that the template is for: `status`; empty for the whole object. */
  readonly root: string;
  readonly template: string;
}

/** What a stage does, in this order. */
export interface StageStep {
  readonly event: StageEvent | undefined;
  readonly finalizers: {
    readonly add: readonly string[];
    readonly remove: readonly string[];
    readonly empty: boolean;
  };
  readonly delete: boolean;
  readonly patches: readonly StagePatch[];
}

/** One stage of the life of objects of a kind, as kwok's `Stage`. */
export interface Stage {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly selector: StageSelector;
  /** Of several stages that match, the one with the highest weight is taken, then the first. */
  readonly weight: number;
  readonly delayMs: number;
  readonly next: StageStep;
}

/** A Stage that is invalid, or asks for what is not supported. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

import type { FieldError, JsonValue, KubeObject, Steps } from '../meta/index.ts';

/** The inputs of a validation. */
export interface ValidationRequest {
  /** The object after normalization. */
  readonly object: KubeObject;
  /** The stored object, on update: unchanged invalid values are then tolerated (KEP-4008 ratcheting). */
  readonly old?: KubeObject;
  /** `status` validates what `/status` accepts: the schema of `.status` only, rules on the whole object. */
  readonly scope: 'object' | 'status';
  /** Errors of the caller, listed first. Like some schema errors, some of them prevent rules from running. */
  readonly beforeSchema?: readonly FieldError[];
  /**
   * Errors of the caller that replace those of the schema, except for embedded resources, list types and rules: for an
   * object of another kind than the schema's.
   */
  readonly insteadOfSchema?: readonly FieldError[];
  /** Errors of the caller, listed after the schema's and before those of embedded resources, list types and rules. */
  readonly afterSchema?: readonly FieldError[];
}

/** All errors, and warnings for the client. */
export interface ValidationReport {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Options and outputs of normalization. */
export interface NormalizeOptions {
  /** Collects the paths of dropped fields in upstream's order: metadata first, the rest sorted. */
  readonly unknownFields?: string[];
  /** False omits defaults: for an object that was defaulted before conversion. */
  readonly applyDefaults?: boolean;
  /**
   * True only applies defaults: for results of server-side apply, which upstream validates unchanged and normalizes
   * when it decodes the stored object.
   */
  readonly onlyDefaults?: boolean;
  /**
   * A normalized object. Values that the current object shares with it, at the same path, are skipped.
   */
  readonly settled?: KubeObject | undefined;
  /** Maps that contain only non-null scalars, and are always normalized. */
  readonly scalarMaps?: ReadonlySet<JsonValue>;
}

/** A compiled structural schema of one version of a custom resource. */
export interface CompiledSchema {
  /**
   * Normalizes a decoded object in place: coerces metadata, prunes unknown fields, drops nulls, coerces embedded
   * metadata, applies defaults. Idempotent.
   *
   * @throws {MetadataTypeError} if a metadata field has the wrong type and `dropInvalidMetadata` is not set.
   */
  normalize(
    object: KubeObject,
    options?: NormalizeOptions & { readonly dropInvalidMetadata?: boolean },
  ): void;

  /** {@link normalize} as a generator; omitted if it is a single step. */
  readonly normalizeInSteps?: (
    object: KubeObject,
    options?: NormalizeOptions & { readonly dropInvalidMetadata?: boolean },
  ) => Steps<void>;

  /** Validates an object. Never throws, whatever a user sends. */
  validate(request: ValidationRequest): ValidationReport;

  /** Whether strict decoding ignores a duplicate key at this path. */
  readonly isLenientAt?: (steps: readonly (string | number)[]) => boolean;

  /** True if a rule may compare with the old object, and so refuse an update without changes. */
  readonly comparesWithOld: boolean;
}

/** Runs all steps of normalization. @throws {MetadataTypeError} as {@link CompiledSchema.normalize} */
export function* normalizeInSteps(
  schema: CompiledSchema,
  object: KubeObject,
  options?: NormalizeOptions & { readonly dropInvalidMetadata?: boolean },
): Steps<void> {
  if (schema.normalizeInSteps === undefined) schema.normalize(object, options);
  else yield* schema.normalizeInSteps(object, options);
}

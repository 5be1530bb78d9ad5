import type { FieldError, JsonValue, KubeObject, Steps } from '../meta/index.ts';

/** What a validation looks at. */
export interface ValidationRequest {
  /** The object after normalization. */
  readonly object: KubeObject;
  /** The stored object, on update: unchanged invalid values are then tolerated (KEP-4008 ratcheting). */
  readonly old?: KubeObject;
  /** `status` validates what `/status` accepts: the schema of `.status` only, rules on the whole object. */
  readonly scope: 'object' | 'status';
  /** Errors of the caller that come first. Some of them, like some of the schema's, prevent rules from running. */
  readonly beforeSchema?: readonly FieldError[];
  /**
   * Errors of the caller that take the place of the schema's and of its own, those of embedded resources, list types and
   * rules excepted: of an object that is of another kind than its schema is about.
   */
  readonly insteadOfSchema?: readonly FieldError[];
  /** Errors of the caller that come after the schema's and before those of embedded resources, list types and rules. */
  readonly afterSchema?: readonly FieldError[];
}

/** Every mistake found, and warnings for the client. */
export interface ValidationReport {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** What normalization does and collects. */
export interface NormalizeOptions {
  /** Filled with the paths of fields that were dropped, in upstream's order: metadata first, the rest sorted. */
  readonly unknownFields?: string[];
  /** False applies no defaults: for an object that was defaulted in the version that it was converted from. */
  readonly applyDefaults?: boolean;
  /**
   * True applies defaults and does nothing else: for what server-side apply made, which upstream validates as it is and
   * brings into shape when it decodes what it stored.
   */
  readonly onlyDefaults?: boolean;
  /**
   * An object that has been brought into shape before. What the object at hand shares with it, at the same place, is
   * in shape as well and left alone, unread.
   */
  readonly settled?: KubeObject | undefined;
  /** Maps that hold nothing but scalars, no null among them: nothing in them can be out of shape. */
  readonly scalarMaps?: ReadonlySet<JsonValue>;
}

/** A structural schema of one version of a custom resource, turned into functions once. */
export interface CompiledSchema {
  /**
   * Brings a decoded object into the schema's shape, in place: coerce metadata, prune unknown fields, drop nulls,
   * coerce embedded metadata, apply defaults. Idempotent.
   *
   * @throws {MetadataTypeError} where metadata has a field of a wrong type and `dropInvalidMetadata` is not set.
   */
  normalize(
    object: KubeObject,
    options?: NormalizeOptions & { readonly dropInvalidMetadata?: boolean },
  ): void;

  /** {@link normalize}, in steps; left out where it is one. */
  readonly normalizeInSteps?: (
    object: KubeObject,
    options?: NormalizeOptions & { readonly dropInvalidMetadata?: boolean },
  ) => Steps<void>;

  /** Checks an object against the schema. Never throws for anything a user can send. */
  validate(request: ValidationRequest): ValidationReport;

  /** Whether strict decoding says nothing of a key that the object at these steps from the root has twice. */
  readonly isLenientAt?: (steps: readonly (string | number)[]) => boolean;

  /** True where a rule may compare with the old object, and so refuse even an update that changes nothing. */
  readonly comparesWithOld: boolean;
}

/** Normalizes in the steps that a schema has. @throws {MetadataTypeError} as {@link CompiledSchema.normalize} */
export function* normalizeInSteps(
  schema: CompiledSchema,
  object: KubeObject,
  options?: NormalizeOptions & { readonly dropInvalidMetadata?: boolean },
): Steps<void> {
  if (schema.normalizeInSteps === undefined) schema.normalize(object, options);
  else yield* schema.normalizeInSteps(object, options);
}

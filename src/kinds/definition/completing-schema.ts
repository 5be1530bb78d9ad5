import { atOnce, type JsonValue, type KubeObject, type Steps } from '../../meta/index.ts';
import type { CompiledSchema, ValidationReport } from '../../schema/index.ts';
import type { TypedKind } from '../typed/typed-kind.ts';

type NormalizeOptions = Parameters<CompiledSchema['normalize']>[1];

const none: ReadonlySet<JsonValue> = new Set();
const fine: ValidationReport = Object.freeze({ errors: [], warnings: [] });

/** What makes an object of a kind whole, besides the defaults of its schema. */
interface Completion {
  /** Adds what structural schemas cannot express, such as a default that depends on another field. */
  readonly complete: ((object: KubeObject) => void) | undefined;
  /** How Go decodes and encodes the kind; undefined if the schema is sufficient. */
  readonly typed: TypedKind | undefined;
}

/**
 * The schema of a kind that upstream decodes into a Go type: null counts as absent, and a value of the wrong type is
 * refused by the decoder.
 */
export function completingSchema(schema: CompiledSchema, { complete, typed }: Completion): CompiledSchema {
  function* normalize(object: KubeObject, options?: NormalizeOptions): Steps<void> {
    const isLenient = options?.dropInvalidMetadata === true;
    const scalarMaps = typed === undefined ? none : yield* typed.read(object, { isLenient });
    yield;
    schema.normalize(object, { ...options, onlyDefaults: false, scalarMaps });
    yield;
    if (options?.applyDefaults !== false) complete?.(object);
    if (typed !== undefined) yield* typed.fill(object, scalarMaps);
  }
  return Object.freeze({
    normalize: (object: KubeObject, options?: NormalizeOptions) => atOnce(normalize(object, options)),
    normalizeInSteps: normalize,
    validate: (request: Parameters<CompiledSchema['validate']>[0]) =>
      typed === undefined ? schema.validate(request) : fine,
    get comparesWithOld() {
      return schema.comparesWithOld;
    },
  });
}

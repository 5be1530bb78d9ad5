import type { KubeObject } from '../meta/index.ts';
import type {
  CompiledSchema,
  NormalizeOptions,
  ValidationReport,
  ValidationRequest,
} from './compiled-schema.ts';
import { coerceMetadata } from './metadata/coerce-metadata.ts';

/** The schema of kinds that have none: metadata is brought into shape, everything else is as it comes. */
export const schemaless: CompiledSchema = Object.freeze({
  comparesWithOld: false,
  normalize(
    object: KubeObject,
    options: NormalizeOptions & { readonly dropInvalidMetadata?: boolean } = {},
  ): void {
    const { dropInvalidMetadata: dropInvalid = false, unknownFields, settled, onlyDefaults } = options;
    if (onlyDefaults !== true) coerceMetadata(object, { dropInvalid, unknownFields, settled });
  },
  validate({ afterSchema = [] }: ValidationRequest): ValidationReport {
    return { errors: [...afterSchema], warnings: [] };
  },
});

/** A schema that validates and leaves objects as they come. */
export function validatingOnly(schema: CompiledSchema): CompiledSchema {
  const { normalize } = schemaless;
  return Object.freeze({
    normalize,
    validate: (request: ValidationRequest) => schema.validate(request),
    get comparesWithOld() {
      return schema.comparesWithOld;
    },
  });
}

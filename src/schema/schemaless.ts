import type { KubeObject } from '../meta/index.ts';
import type {
  CompiledSchema,
  NormalizeOptions,
  ValidationReport,
  ValidationRequest,
} from './compiled-schema.ts';
import { coerceMetadata } from './metadata/coerce-metadata.ts';

/** For kinds without a schema: metadata is normalized, everything else is unchanged. */
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

/** A schema that accepts any object and changes nothing. */
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

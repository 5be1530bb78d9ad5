import {
  type FeatureGateName,
  type FeatureGates,
  isObject,
  type JsonObject,
  ownList,
} from '../meta/index.ts';
import { enumGatesKeyword } from './field-gates/resolve-schema.ts';
import { schemasIn } from './schema-walk.ts';
import { isSet, schemaOf, versionsOf } from './spec-view.ts';

/** A field that exists only while a server gate is on. */
interface GatedField {
  readonly gate: FeatureGateName;
  /** Every object of the spec that may have it. */
  owners(spec: JsonObject): Iterable<JsonObject>;
  readonly field: string;
}

const propertyNames = 'x-kubernetes-property-names';

function* allSchemas(spec: JsonObject): Generator<JsonObject> {
  for (const version of versionsOf(spec)) {
    const schema = schemaOf(version);
    if (schema !== undefined) yield* schemasIn(schema);
  }
}

function* allRules(spec: JsonObject): Generator<JsonObject> {
  for (const schema of allSchemas(spec)) {
    for (const rule of ownList(schema, 'x-kubernetes-validations') ?? []) if (isObject(rule)) yield rule;
  }
}

const gatedFields: readonly GatedField[] = [
  { gate: 'CustomResourceFieldSelectors', owners: versionsOf, field: 'selectableFields' },
  { gate: 'CustomResourceSubResources', owners: versionsOf, field: 'subresources' },
  { gate: 'CRDPropertyNameSchemas', owners: allSchemas, field: propertyNames },
  { gate: 'CRDValidationRatcheting', owners: allRules, field: 'optionalOldSelf' },
  { gate: 'CRDFieldLevelVersioning', owners: (spec) => [spec], field: 'customFeatureGates' },
  { gate: 'CRDFieldLevelVersioning', owners: allRules, field: 'featureGate' },
  { gate: 'CRDFieldLevelVersioning', owners: allSchemas, field: enumGatesKeyword },
];

function has({ owners, field }: GatedField, spec: JsonObject): boolean {
  for (const owner of owners(spec)) if (isSet(owner[field])) return true;
  return false;
}

/**
 * Drops fields whose server gate is off, in place. A spec that already had such a field keeps it, so switching a gate
 * off and on again loses nothing.
 */
export function dropGatedFields(
  spec: JsonObject,
  oldSpec: JsonObject | undefined,
  gates: FeatureGates,
): void {
  for (const gated of gatedFields) {
    if (gates[gated.gate] || (isObject(oldSpec) && has(gated, oldSpec))) continue;
    for (const owner of [...gated.owners(spec)]) delete owner[gated.field];
  }
}

import { clone, equal, type FeatureGates, FieldPath } from '../../meta/index.ts';
import { SchemaNode } from '../schema-node.ts';
import { conversionProblem } from './conversion-problem.ts';
import { listKeyErrors, setItemErrors } from './list-rules.ts';
import { pruneValue } from './prune-value.ts';
import { isGiven, type SchemaDocument, someSchema, textOf } from './schema-document.ts';
import type { SchemaDemands } from './schema-site.ts';
import { structuralErrors } from './validate-structure.ts';

const types = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);
const anywhere = FieldPath.of('schema');

function isStructural(schema: SchemaDocument): boolean {
  return conversionProblem(schema) === undefined && structuralErrors(schema, anywhere).length === 0;
}

const extensions = [
  'default',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
];

/** True if a schema uses features that require a structural schema. */
function needsStructure(schema: SchemaDocument): boolean {
  return someSchema(schema, (one) => extensions.some((keyword) => isGiven(one[keyword])));
}

/** The inputs of the requirements. */
interface DemandOptions {
  readonly gates: FeatureGates;
  readonly old?: readonly SchemaDocument[];
  readonly preserveUnknownFields?: boolean;
}

/** A new schema must meet all requirements. An update drops those that the old schemas violate. */
export function demandsOf(schema: SchemaDocument, options: DemandOptions): SchemaDemands {
  const { gates, old = [], preserveUnknownFields = false } = options;
  const everywhere = (isSound: (schema: SchemaDocument) => boolean) =>
    !old.some((one) => someSchema(one, (inner) => !isSound(inner)));
  return {
    structural: !preserveUnknownFields || needsStructure(schema) || old.every(isStructural),
    validTypes: everywhere((one) => types.has(textOf(one, 'type'))),
    prunedDefaults: old.every((one) => !isStructural(one) || hasPrunedDefaults(new SchemaNode(one, gates))),
    atomicSets: everywhere((one) => setItemErrors(one, anywhere).length === 0),
    soundListKeys: everywhere((one) => listKeyErrors(one, anywhere).length === 0),
  };
}

function hasPrunedDefaults(node: SchemaNode): boolean {
  if (isGiven(node.default)) {
    const pruned = clone(node.default ?? null);
    pruneValue(pruned, node);
    if (!equal(pruned, node.default)) return false;
  }
  const children = [node.items, node.additionalProperties, ...node.properties.values()];
  return children.every((child) => child === undefined || hasPrunedDefaults(child));
}

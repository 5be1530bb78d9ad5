import { isGiven, isSet, type SchemaDocument, someSchema } from './schema-document.ts';

const unsupported = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
];

/**
 * Upstream's reason why a schema cannot be converted to a structural one; undefined if it can. The condition
 * NonStructuralSchema shows it, and defaults and rules are then not checked.
 */
export function conversionProblem(schema: SchemaDocument): string | undefined {
  let problem: string | undefined;
  someSchema(schema, (one) => {
    problem = problemOf(one);
    return problem !== undefined;
  });
  return problem;
}

function problemOf(schema: SchemaDocument): string | undefined {
  for (const keyword of unsupported) {
    const used = keyword === 'additionalItems' ? isGiven(schema[keyword]) : isSet(schema[keyword]);
    if (used) return `OpenAPIV3Schema '${keyword === '$schema' ? 'schema' : keyword}' is not supported`;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema['items']) && schema['items'].length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  return undefined;
}

/** Steps from the root of a JSON document to a place in it. */
type Steps = readonly (string | number)[];

/** Schema keywords whose value Go decodes with a custom method, which does not check for duplicate keys. */
const lenientKeywords: ReadonlySet<string | number> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'default',
  'example',
  'enum',
]);

/** Keywords that hold a map or a list of schemas. */
const collections: ReadonlySet<string | number> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'allOf',
  'oneOf',
  'anyOf',
]);

const schemaPath = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];

/**
 * True if strict decoding of a CustomResourceDefinition ignores duplicate keys of an object at this place.
 *
 * Source: marshal.go of k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.
 */
export function isLenientInCrd(steps: Steps): boolean {
  const inSchema = schemaPath.every((step, index) =>
    typeof step === 'number' ? typeof steps[index] === 'number' : steps[index] === step,
  );
  return inSchema && isLenientInSchema(steps.slice(schemaPath.length));
}

function isLenientInSchema(steps: Steps): boolean {
  for (let at = 0; at < steps.length; at += 1) {
    const keyword = steps[at] ?? '';
    if (lenientKeywords.has(keyword)) return true;
    // The schema of a dependency, by name.
    if (keyword === 'dependencies') return at + 1 < steps.length;
    if (collections.has(keyword)) at += 1;
  }
  return false;
}

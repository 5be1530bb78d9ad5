import { isObject, type JsonObject, type JsonValue, own, ownList } from '../../meta/index.ts';

const integerOrString: JsonValue[] = [{ type: 'integer' }, { type: 'string' }];

/**
 * A node of the schema of a custom resource as OpenAPI v3 has it: all of it, and `x-kubernetes-int-or-string` in
 * words that clients without Kubernetes' extensions understand. Source: apiextensions-apiserver, schema/unfold.go.
 */
export function publishedInV3(node: JsonObject): JsonObject {
  if (node['x-kubernetes-int-or-string'] !== true || saysIntOrString(node)) return node;
  const anyOf = own(node, 'anyOf');
  if (anyOf === undefined) return { ...node, anyOf: integerOrString };
  return { ...node, allOf: [{ anyOf: integerOrString }, ...(ownList(node, 'allOf') ?? [])] };
}

/** True where the author has written it out already: the two forms that a structural schema may have. */
function saysIntOrString(node: JsonObject): boolean {
  const [first] = ownList(node, 'allOf') ?? [];
  return isIntegerOrString(node) || (isObject(first) && isIntegerOrString(first));
}

function isIntegerOrString(node: JsonObject): boolean {
  const [first, second, ...more] = ownList(node, 'anyOf') ?? [];
  const isType = (value: JsonValue | undefined, type: string) => isObject(value) && value['type'] === type;
  return more.length === 0 && isType(first, 'integer') && isType(second, 'string');
}

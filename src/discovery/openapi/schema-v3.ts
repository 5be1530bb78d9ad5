import { isObject, type JsonObject, type JsonValue, own, ownList } from '../../meta/index.ts';

const integerOrString: JsonValue[] = [{ type: 'integer' }, { type: 'string' }];

/**
 * A schema node of a custom resource in OpenAPI v3: unchanged, except that `x-kubernetes-int-or-string` is also
 * expressed in standard keywords. Source: apiextensions-apiserver, schema/unfold.go.
 */
export function publishedInV3(node: JsonObject): JsonObject {
  if (node['x-kubernetes-int-or-string'] !== true || saysIntOrString(node)) return node;
  const anyOf = own(node, 'anyOf');
  if (anyOf === undefined) return { ...node, anyOf: integerOrString };
  return { ...node, allOf: [{ anyOf: integerOrString }, ...(ownList(node, 'allOf') ?? [])] };
}

/** True if the schema already spells it out, in one of the two forms that structural schemas allow. */
function saysIntOrString(node: JsonObject): boolean {
  const [first] = ownList(node, 'allOf') ?? [];
  return isIntegerOrString(node) || (isObject(first) && isIntegerOrString(first));
}

function isIntegerOrString(node: JsonObject): boolean {
  const [first, second, ...more] = ownList(node, 'anyOf') ?? [];
  const isType = (value: JsonValue | undefined, type: string) => isObject(value) && value['type'] === type;
  return more.length === 0 && isType(first, 'integer') && isType(second, 'string');
}

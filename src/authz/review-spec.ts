import type { AuthorizationAttributes, ResourceAttributes } from '../auth/index.ts';
import { type FieldRequirement, type JsonObject, type LabelRequirement, put } from '../meta/index.ts';

/** The spec of a SubjectAccessReview for a request. Source: apiserver, plugin/pkg/authorizer/webhook. */
export function reviewSpec({ user, verb, resource, path }: AuthorizationAttributes): JsonObject {
  const { name, uid = '', groups, extra = new Map<string, readonly string[]>() } = user;
  const listed: JsonObject = {};
  for (const [key, values] of extra) put(listed, key, [...values]);
  return {
    ...(resource === undefined
      ? { nonResourceAttributes: { path, verb } }
      : { resourceAttributes: resourceSpec(resource, verb) }),
    user: name,
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extra.size > 0 && { extra: listed }),
    ...(uid !== '' && { uid }),
  };
}

function resourceSpec(resource: ResourceAttributes, verb: string): JsonObject {
  const { namespace, group, version, subresource, name } = resource;
  const texts = { namespace, verb, group, version, resource: resource.resource, subresource, name };
  const fields = resource.fieldSelector?.flatMap(fieldRequirement) ?? [];
  const labels = resource.labelSelector?.flatMap(labelRequirement) ?? [];
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

/** Requirements that upstream's API cannot express are left out, which makes the question broader: all must hold. */
function fieldRequirement(requirement: FieldRequirement): JsonObject[] {
  if (requirement.operator !== '=' && requirement.operator !== '!=') return [];
  const operator = requirement.operator === '=' ? 'In' : 'NotIn';
  return [{ key: requirement.field, operator, values: [requirement.value] }];
}

const labelOperators: Readonly<Record<string, string>> = {
  in: 'In',
  '=': 'In',
  '==': 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function labelRequirement({ key, operator, values }: LabelRequirement): JsonObject[] {
  const word = labelOperators[operator];
  if (word === undefined) return [];
  return [{ key, operator: word, ...(values.length > 0 && { values: [...values] }) }];
}

import type { AuthorizationAttributes } from '../../auth/index.ts';
import {
  type FieldRequirement,
  isObject,
  type JsonObject,
  type LabelRequirement,
  labelSelectorFromObject,
  own,
  ownList,
  ownObject,
  ownString,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  stringList,
  type UserInfo,
} from '../../meta/index.ts';

/** The attributes of a review, and its errors. */
interface AskedAttributes {
  readonly attributes: AuthorizationAttributes;
  /** Upstream's messages, for `evaluationError`. */
  readonly unread: readonly string[];
}

/** The authorization attributes in an access review. Source: kubernetes, pkg/registry/authorization/util/helpers.go. */
export function askedAttributes(spec: JsonObject, user: UserInfo): AskedAttributes {
  const asked = ownObject(spec, 'resourceAttributes');
  if (asked === undefined) {
    const path = ownObject(spec, 'nonResourceAttributes') ?? {};
    const attributes = { user, verb: text(path, 'verb'), path: text(path, 'path'), resource: undefined };
    return { attributes, unread: [] };
  }
  const fields = fieldRequirements(ownObject(asked, 'fieldSelector'));
  const labels = labelRequirements(ownObject(asked, 'labelSelector'));
  const resource = {
    group: text(asked, 'group'),
    version: text(asked, 'version') || '*',
    resource: text(asked, 'resource'),
    subresource: text(asked, 'subresource'),
    namespace: text(asked, 'namespace'),
    name: text(asked, 'name'),
    fieldSelector: fields.requirements,
    labelSelector: labels.requirements,
  };
  const unread = [...unreadText('fieldSelector', fields), ...unreadText('labelSelector', labels)];
  return { attributes: { user, verb: text(asked, 'verb'), path: '', resource }, unread };
}

function text(object: JsonObject, key: string): string {
  return ownString(object, key) ?? '';
}

interface Requirements<T> {
  readonly requirements: readonly T[] | undefined;
  readonly failed: boolean;
}

function unreadText(name: string, { requirements, failed }: Requirements<unknown>): string[] {
  if (!failed) return [];
  const how = requirements === undefined ? 'ignored' : 'partially ignored';
  return [`spec.resourceAttributes.${name} ${how} due to parse error`];
}

function fieldRequirements(selector: JsonObject | undefined): Requirements<FieldRequirement> {
  if (selector === undefined) return { requirements: undefined, failed: false };
  const raw = text(selector, 'rawSelector');
  if (raw !== '') return parsed(() => parseFieldSelector(raw).requirements);
  return each(selector, (requirement) => {
    const values = stringList(own(requirement, 'values'));
    const operator = text(requirement, 'operator');
    const [value] = values;
    if (value === undefined || values.length > 1 || (operator !== 'In' && operator !== 'NotIn'))
      return undefined;
    return { field: text(requirement, 'key'), operator: operator === 'In' ? '=' : '!=', value };
  });
}

function labelRequirements(selector: JsonObject | undefined): Requirements<LabelRequirement> {
  if (selector === undefined) return { requirements: undefined, failed: false };
  const raw = text(selector, 'rawSelector');
  if (raw !== '') return parsed(() => parseLabelSelector(raw).requirements);
  return each(selector, (requirement) => {
    const { requirements } = parsed(
      () => labelSelectorFromObject({ matchExpressions: [requirement] }).requirements,
    );
    return requirements?.[0];
  });
}

function parsed<T>(parse: () => readonly T[]): Requirements<T> {
  try {
    const requirements = parse();
    return { requirements: requirements.length === 0 ? undefined : requirements, failed: false };
  } catch (error) {
    if (error instanceof SelectorError) return { requirements: undefined, failed: true };
    throw error;
  }
}

/** Invalid requirements are dropped, which asks for broader access, because all must hold. */
function each<T>(selector: JsonObject, read: (requirement: JsonObject) => T | undefined): Requirements<T> {
  const listed = (ownList(selector, 'requirements') ?? []).filter(isObject);
  const requirements = listed.flatMap((requirement) => read(requirement) ?? []);
  return {
    requirements: requirements.length === 0 ? undefined : requirements,
    failed: requirements.length < listed.length,
  };
}

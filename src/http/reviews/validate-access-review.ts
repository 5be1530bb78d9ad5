import {
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownList,
  ownObject,
  ownString,
  required,
  stringList,
} from '../../meta/index.ts';

/** Validates access reviews. Source: kubernetes, pkg/apis/authorization/validation/validation.go. */
export function validateAccessReview(
  review: KubeObject,
  { namesUser, local }: { readonly namesUser: boolean; readonly local: boolean },
): FieldError[] {
  const spec = ownObject(review, 'spec') ?? {};
  return [
    ...attributesErrors(spec),
    ...(namesUser ? subjectErrors(spec) : []),
    ...selectorErrors(spec, 'fieldSelector'),
    ...selectorErrors(spec, 'labelSelector'),
    ...metadataErrors(review, local),
    ...(local ? localErrors(review, spec) : []),
  ];
}

function attributesErrors(spec: JsonObject): FieldError[] {
  const [resource, other] = [ownObject(spec, 'resourceAttributes'), ownObject(spec, 'nonResourceAttributes')];
  if (resource !== undefined && other !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', other, detail)];
  }
  if (resource !== undefined || other !== undefined) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, detail)];
}

function subjectErrors(spec: JsonObject): FieldError[] {
  if ((ownString(spec, 'user') ?? '') !== '' || stringList(own(spec, 'groups')).length > 0) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function selectorErrors(spec: JsonObject, name: 'fieldSelector' | 'labelSelector'): FieldError[] {
  const selector = ownObject(ownObject(spec, 'resourceAttributes') ?? {}, name);
  if (selector === undefined) return [];
  const path = `spec.resourceAttributes.${name}`;
  const raw = ownString(selector, 'rawSelector') ?? '';
  const count = (ownList(selector, 'requirements') ?? []).length;
  if (raw !== '' && count > 0) {
    return [invalid(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements')];
  }
  if (raw !== '' || count > 0) return [];
  const detail = `when ${path} is specified, requirements or rawSelector is required`;
  return [required(`${path}.requirements`, detail)];
}

function metadataErrors(review: KubeObject, local: boolean): FieldError[] {
  const { managedFields: _managed, creationTimestamp: _created, namespace, ...rest } = metadataOf(review);
  const empty = Object.keys(rest).length === 0 && (local || namespace === undefined);
  if (empty) return [];
  const detail = local ? 'must be empty except for namespace' : 'must be empty';
  return [invalid('metadata', metadataOf(review), detail)];
}

function localErrors(review: KubeObject, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const resource = ownObject(spec, 'resourceAttributes');
  const named = resource === undefined ? '' : (ownString(resource, 'namespace') ?? '');
  const own = ownString(metadataOf(review), 'namespace') ?? '';
  if (resource !== undefined && named !== own) {
    errors.push(invalid('spec.resourceAttributes.namespace', named, 'must match metadata.namespace'));
  }
  const other = ownObject(spec, 'nonResourceAttributes');
  if (other !== undefined) {
    errors.push(invalid('spec.nonResourceAttributes', other, 'disallowed on this kind of request'));
  }
  return errors;
}

import { equal, type FieldError, forbidden, type KubeObject, own } from '../../meta/index.ts';

const detail = 'field is immutable when `immutable` is set';

/** A ConfigMap or a Secret that was said to be immutable stays so, and so does what is in it. */
export function immutableDataErrors(
  object: KubeObject,
  old: KubeObject,
  fields: readonly string[],
): FieldError[] {
  if (own(old, 'immutable') !== true) return [];
  const changed = fields.filter((field) => !sameData(object, old, field));
  return [...(own(object, 'immutable') === true ? [] : ['immutable']), ...changed].map((field) =>
    forbidden(field, detail),
  );
}

function sameData(object: KubeObject, old: KubeObject, field: string): boolean {
  return equal(own(object, field) ?? {}, own(old, field) ?? {});
}

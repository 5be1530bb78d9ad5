import {
  type FieldError,
  type FieldPath,
  goJson,
  invalid,
  type JsonObject,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { textOf } from '../spec-view.ts';
import type { VersionParts } from './hoisted-spec.ts';
import { simpleJsonPathErrors } from './simple-json-path.ts';

/** The paths of `/scale`. */
export function subresourceErrors({ subresources, path }: VersionParts): FieldError[] {
  const scale = subresources === undefined ? undefined : ownObject(subresources, 'scale');
  if (scale === undefined) return [];
  const base = path.child('subresources');
  return [
    ...replicasPathErrors(scale, base, { field: 'specReplicasPath', under: '.spec' }),
    ...replicasPathErrors(scale, base, { field: 'statusReplicasPath', under: '.status' }),
    ...selectorPathErrors(scale, base.child('scale.labelSelectorPath')),
  ];
}

function replicasPathErrors(
  scale: JsonObject,
  base: FieldPath,
  { field, under }: { readonly field: string; readonly under: string },
): FieldError[] {
  const path = base.child(`scale.${field}`);
  const value = textOf(scale, field);
  if (value === '') return [required(path)];
  const wrong = simpleJsonPathErrors(path, value);
  if (wrong.length > 0 || value.startsWith(`${under}.`)) return wrong;
  return [invalid(path, value, `should be a json path under ${under}`)];
}

function selectorPathErrors(scale: JsonObject, path: FieldPath): FieldError[] {
  const value = ownString(scale, 'labelSelectorPath') ?? '';
  if (value === '') return [];
  const wrong = simpleJsonPathErrors(path, value);
  if (wrong.length > 0 || value.startsWith('.spec.') || value.startsWith('.status.')) return wrong;
  const detail = 'should be a json path under either .spec or .status';
  // A pointer in Go, which prints as JSON.
  return [{ ...invalid(path, value, detail), valueText: goJson(value) }];
}

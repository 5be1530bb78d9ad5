import {
  checkDns1035Label,
  FieldPath,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  required,
} from '../../meta/index.ts';
import { namesOf, statusOf, stringsOf, textOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

/** The requested names: all but short names and categories are required. */
export const namesRule: CrdRule = ({ spec }) => {
  const path = FieldPath.of('spec', 'names');
  const names = namesOf(spec.raw, 'names');
  const missing = ['plural', 'singular', 'kind', 'listKind'].filter((field) => textOf(names, field) === '');
  return [...missing.map((field) => required(path.child(field))), ...nameErrors(names, path)];
};

/** The accepted names. */
export const acceptedNamesRule: CrdRule = ({ crd }) => acceptedNamesErrors(crd);

/** See {@link acceptedNamesRule}. */
export function acceptedNamesErrors(crd: KubeObject): FieldError[] {
  return nameErrors(namesOf(statusOf(crd), 'acceptedNames'), FieldPath.of('status', 'acceptedNames'));
}

function nameErrors(names: JsonObject, path: FieldPath): FieldError[] {
  const kind = textOf(names, 'kind');
  const listKind = textOf(names, 'listKind');
  const same = kind !== '' && kind === listKind;
  return [
    ...labelErrors(names, 'plural', path),
    ...labelErrors(names, 'singular', path),
    ...kindErrors(names, 'kind', path),
    ...kindErrors(names, 'listKind', path),
    ...listErrors(names, 'shortNames', path),
    ...(same ? [invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same')] : []),
    ...listErrors(names, 'categories', path),
  ];
}

function labelErrors(names: JsonObject, field: string, path: FieldPath): FieldError[] {
  const name = textOf(names, field);
  const wrong = name === '' ? [] : checkDns1035Label(name);
  return wrong.length === 0 ? [] : [invalid(path.child(field), name, wrong.join(','))];
}

function kindErrors(names: JsonObject, field: string, path: FieldPath): FieldError[] {
  const name = textOf(names, field);
  const wrong = name === '' ? [] : checkDns1035Label(name.toLowerCase());
  if (wrong.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return [invalid(path.child(field), name, detail)];
}

function listErrors(names: JsonObject, field: string, path: FieldPath): FieldError[] {
  return stringsOf(names, field).flatMap((name, index) => {
    const wrong = checkDns1035Label(name);
    return wrong.length === 0 ? [] : [invalid(path.child(field).index(index), name, wrong.join(','))];
  });
}

import {
  checkDns1035Label,
  checkDnsSubdomain,
  type FieldError,
  FieldPath,
  invalid,
  isObject,
  type KubeObject,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';

const specPath = FieldPath.of('spec');

/**
 * The errors of a CRD's names that are used in file names and code, by the rules of the server. CRDs are untrusted:
 * `plural: ../../x` must not leave the folder, and a line break in a version must not end a comment.
 */
export function usedNameErrors(crd: KubeObject): FieldError[] {
  const spec = ownObject(crd, 'spec') ?? {};
  const names = ownObject(spec, 'names') ?? {};
  const namesPath = specPath.child('names');
  const kind = ownString(names, 'kind') ?? '';
  const listKind = ownString(names, 'listKind');
  const versions = (ownList(spec, 'versions') ?? []).filter(isObject);
  return [
    ...nameErrors(specPath.child('group'), ownString(spec, 'group') ?? '', checkDnsSubdomain),
    ...nameErrors(namesPath.child('plural'), ownString(names, 'plural') ?? '', checkDns1035Label),
    ...nameErrors(namesPath.child('kind'), kind, checkKind),
    ...(listKind === undefined ? [] : nameErrors(namesPath.child('listKind'), listKind, checkKind)),
    ...versions.flatMap((version, index) =>
      nameErrors(
        specPath.child('versions').index(index).child('name'),
        ownString(version, 'name') ?? '',
        checkDns1035Label,
      ),
    ),
  ];
}

function nameErrors(path: FieldPath, name: string, check: (name: string) => string[]): FieldError[] {
  if (name === '') return [required(path)];
  const wrong = check(name);
  return wrong.length === 0 ? [] : [invalid(path, name, wrong.join(','))];
}

function checkKind(kind: string): string[] {
  return checkDns1035Label(kind.toLowerCase()).map(
    (text) => `may have mixed case, but should otherwise match: ${text}`,
  );
}

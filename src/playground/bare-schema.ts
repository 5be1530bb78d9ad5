import type { LoadedObject } from '../manifests/index.ts';
import {
  isObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  parseGroupVersion,
} from '../meta/index.ts';

const schemaSteps = ['spec', 'versions', '0', 'schema', 'openAPIV3Schema'];

/** Wraps a schema in a CRD: for the kind that the object names, if any. */
export function wrapSchema(loaded: LoadedObject, object: KubeObject | undefined): LoadedObject {
  const named = parseGroupVersion(ownString(object ?? {}, 'apiVersion') ?? '');
  const group = named === undefined || named.group === '' ? 'playground.example.com' : named.group;
  const version = named === undefined || named.version === '' ? 'v1' : named.version;
  const kind = ownString(object ?? {}, 'kind') ?? 'Example';
  const plural = `${kind.toLowerCase()}s`;
  const crd: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: loaded.object } }],
    },
  };
  const lineAt = (path: readonly string[]) =>
    schemaSteps.every((step, index) => path[index] === step)
      ? loaded.lineAt(path.slice(schemaSteps.length))
      : loaded.line;
  return { ...loaded, object: crd, lineAt };
}

/** The `apiVersion` and `kind` of a CRD's objects, in the storage version. */
export function kindOfCrd(crd: KubeObject): { readonly apiVersion: string; readonly kind: string } {
  const spec = ownObject(crd, 'spec') ?? {};
  const versions = (ownList(spec, 'versions') ?? []).filter(isObject);
  const stored = versions.find((version) => own(version, 'storage') === true) ?? {};
  const [group, version] = [ownString(spec, 'group') ?? '', ownString(stored, 'name') ?? ''];
  const kind = ownString(ownObject(spec, 'names') ?? {}, 'kind') ?? '';
  return group === '' || version === ''
    ? { apiVersion: '', kind: '' }
    : { apiVersion: `${group}/${version}`, kind };
}

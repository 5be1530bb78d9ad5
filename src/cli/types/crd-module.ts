import {
  aggregateText,
  type FieldError,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { docComment } from './doc-comment.ts';
import { type Member, SchemaTypes } from './schema-types.ts';
import { gateTags } from './gate-tags.ts';
import { TypeNames, typeOfKind } from './type-names.ts';
import { usedNameErrors } from './used-names.ts';

/** The types of one version of a CRD. */
export interface CrdModule {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly isStorage: boolean;
  readonly text: string;
}

interface ModuleOptions {
  /** Declares the type of metadata in the module, instead of importing it from `@kubernetes/client-node`. */
  readonly standalone: boolean;
}

/** A CRD with names that cannot be used in code or in file names. */
export class CrdNameError extends Error {
  override readonly name = 'CrdNameError';

  constructor(errors: readonly FieldError[]) {
    super(aggregateText(errors));
  }
}

/**
 * Generates a module for every served version of a CRD.
 *
 * @throws {CrdNameError} for names that the server would refuse
 */
export function crdModules(crd: KubeObject, options: ModuleOptions): CrdModule[] {
  const wrong = usedNameErrors(crd);
  if (wrong.length > 0) throw new CrdNameError(wrong);
  const spec = ownObject(crd, 'spec') ?? {};
  const versions = (ownList(spec, 'versions') ?? []).filter(isObject);
  return versions
    .filter((version) => own(version, 'served') !== false)
    .map((version) => moduleOf(spec, version, options));
}

function moduleOf(spec: JsonObject, version: JsonObject, { standalone }: ModuleOptions): CrdModule {
  const names = ownObject(spec, 'names') ?? {};
  const kind = ownString(names, 'kind') ?? '';
  const group = ownString(spec, 'group') ?? '';
  const versionName = ownString(version, 'name') ?? '';
  const objectMeta = standalone ? 'ObjectMeta' : 'V1ObjectMeta';
  const about: About = {
    kind,
    type: typeOfKind(kind),
    listKind: ownString(names, 'listKind') ?? `${kind}List`,
    apiVersion: `${group}/${versionName}`,
    objectMeta,
  };
  const types = new SchemaTypes({
    names: new TypeNames([about.type, `${about.type}List`, ...metadataNames]),
    objectMeta,
    tagsOf: gateTags(spec, ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') ?? {}),
  });
  declareList(types, about);
  declareObject(types, version, about);
  const head = `// Made by \`ilk types\` from ${ownString(names, 'plural') ?? ''}.${group}, version ${versionName}.\n\n`;
  return {
    group,
    version: versionName,
    plural: ownString(names, 'plural') ?? '',
    kind,
    isStorage: own(version, 'storage') === true,
    text: head + (standalone ? metadataTypes : importedMetadata) + types.interfaces.toReversed().join('\n'),
  };
}

interface About {
  readonly kind: string;
  /** The name of the interface of the object. */
  readonly type: string;
  readonly listKind: string;
  readonly apiVersion: string;
  readonly objectMeta: string;
}

function declareList(types: SchemaTypes, { type, listKind, apiVersion, objectMeta }: About): void {
  const members = [
    fixed('apiVersion', JSON.stringify(apiVersion)),
    fixed('kind', JSON.stringify(listKind)),
    fixed('metadata', objectMeta === 'ObjectMeta' ? 'ListMeta' : 'V1ListMeta'),
    fixed('items', `${type}[]`),
  ];
  types.declare(`${type}List`, members, { isOpen: false, comment: '' });
}

function fixed(name: string, type: string): Member {
  return { name, type, optional: false, comment: '' };
}

function declareObject(
  types: SchemaTypes,
  version: JsonObject,
  { kind, type, apiVersion, objectMeta }: About,
): void {
  const schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') ?? {};
  const common = new Set(['apiVersion', 'kind', 'metadata']);
  const fields = types.members(schema, { steps: [type], path: '' }).filter(({ name }) => !common.has(name));
  const deprecated =
    own(version, 'deprecated') === true ? [`@deprecated ${deprecation(version, apiVersion, kind)}`] : [];
  const isOpen = own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const members = [
    fixed('apiVersion', JSON.stringify(apiVersion)),
    fixed('kind', JSON.stringify(kind)),
    fixed('metadata', objectMeta),
    ...fields,
  ];
  types.declare(type, members, { isOpen, comment: docComment(schema, '', deprecated) });
}

function deprecation(version: JsonObject, apiVersion: string, kind: string): string {
  return ownString(version, 'deprecationWarning') ?? `${apiVersion} ${kind} is deprecated`;
}

/** Declarations and imports besides the types of the CRD. */
const metadataNames = [
  'V1ObjectMeta',
  'V1ListMeta',
  'ObjectMeta',
  'ListMeta',
  'OwnerReference',
  'ManagedFields',
];

const importedMetadata = "import type { V1ListMeta, V1ObjectMeta } from '@kubernetes/client-node';\n\n";

/** As in JSON: times are strings. Source: k8s.io/apimachinery, meta/v1. */
const metadataTypes = `export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFields[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFields {
  manager?: string;
  operation?: "Apply" | "Update";
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: { [key: string]: unknown };
  subresource?: string;
}

export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

`;

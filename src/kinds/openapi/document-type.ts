import type { ResourceType, ResourceVersion, SelectableField } from '../../crd/index.ts';
import {
  compareVersionPriority,
  defaultFeatureGates,
  invariant,
  isObject,
  type JsonObject,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { type CompiledSchema, compileSchema } from '../../schema/index.ts';
import { completingSchema } from '../definition/completing-schema.ts';
import { ageColumn } from '../definition/kind.ts';
import { selectorText, specOf, withLabelSelector, workloadScale } from '../rules/workload.ts';
import type { Definitions } from './definitions.ts';
import type { DescribedResource } from './described-resource.ts';
import { OpenApiDocumentError } from './openapi-document.ts';
import type { Reading, StructuralSchemas } from './structural-schema.ts';

/** Where the schemas of a document are found, and how they are written out. */
export interface DocumentSchemas {
  readonly definitions: Definitions;
  readonly schemas: StructuralSchemas;
}

/**
 * The type of a resource from all that is said of it, version by version.
 *
 * @throws {OpenApiDocumentError} for a kind without a schema, and for a schema that is none
 */
export function documentType(
  described: readonly DescribedResource[],
  schemas: DocumentSchemas,
): ResourceType {
  const sorted = described.toSorted((a, b) => compareVersionPriority(a.version, b.version));
  const [first] = sorted;
  invariant(first !== undefined, 'a resource has a version');
  const versions = sorted.map((one, index) => versionOf(one, { ...schemas, isFirst: index === 0 }));
  const [storageVersion] = versions;
  invariant(storageVersion !== undefined, 'a resource has a version');
  const { group, kind, resource, namespaced } = first;
  return Object.freeze({
    group,
    kind,
    listKind: `${kind}List`,
    resource,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced,
    isBuiltIn: true,
    uid: '',
    schemaHome: homeOf(definitionOf(first, schemas), first),
    versions,
    storageVersion,
    fieldGates: undefined,
    served: true,
    established: true,
    terminating: false,
  });
}

/** The part of a schema's name before version and kind: `io.k8s.api.networking`. */
function homeOf(definition: string, { group, version, kind }: DescribedResource): string {
  const end = `.${version}.${kind}`;
  return definition.endsWith(end) ? definition.slice(0, -end.length) : group.split('.').reverse().join('.');
}

/** The name of the schema of a kind. @throws {OpenApiDocumentError} where there is none */
export function definitionOf(
  resource: DescribedResource,
  { definitions }: Pick<DocumentSchemas, 'definitions'>,
): string {
  const { group, version, kind } = resource;
  const found = definitions.nameOf(group, version, kind);
  if (found !== undefined) return found;
  const gvk = JSON.stringify({ group, version, kind });
  throw new OpenApiDocumentError(
    `no schema has the "x-kubernetes-group-version-kind" ${gvk}, which paths have`,
  );
}

function versionOf(
  resource: DescribedResource,
  { definitions, schemas, isFirst }: DocumentSchemas & { readonly isFirst: boolean },
): ResourceVersion {
  const name = definitionOf(resource, { definitions });
  definitions.check(name);
  const schemaIn = (reading: Reading) => rootSchema(schemas.schemaOf(name, reading));
  let compiled: CompiledSchema | undefined;
  let shown: JsonObject | undefined;
  const compile = () =>
    completingSchema(compileSchema(schemaIn('checked'), { gates: defaultFeatureGates() }), {
      complete: undefined,
      typed: undefined,
    });
  return Object.freeze({
    name: resource.version,
    served: true,
    storage: isFirst,
    deprecated: false,
    deprecationWarning: undefined,
    subresources: { status: resource.status, scale: resource.scale ? scale : undefined },
    printerColumns: [ageColumn],
    selectableFields: selectableFields(definitions.get(name)),
    schema: () => (compiled ??= compile()),
    get openAPIV3Schema() {
      return (shown ??= schemaIn('published'));
    },
  });
}

/** Some select by labels alone, as a ReplicationController does. */
const scale = {
  ...workloadScale,
  readSelector: (object: JsonObject) => {
    const selector = ownObject(specOf(object), 'selector') ?? {};
    const isPlain = Object.values(selector).every((value) => typeof value === 'string');
    return selectorText(isPlain ? withLabelSelector(object) : object);
  },
};

/** What every object has is not in the hands of a document. */
function rootSchema(schema: JsonObject): JsonObject {
  const properties = ownObject(schema, 'properties') ?? {};
  return {
    ...schema,
    type: 'object',
    properties: {
      ...properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
  };
}

function selectableFields(definition: JsonObject): SelectableField[] {
  return (ownList(definition, 'x-kubernetes-selectable-fields') ?? []).flatMap((field) => {
    const fieldPath = isObject(field) ? (ownString(field, 'fieldPath') ?? '') : '';
    return fieldPath === '' ? [] : [{ fieldPath }];
  });
}

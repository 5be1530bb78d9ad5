import { type JsonValue, ownObject } from '../../meta/index.ts';
import type { BuiltInKind } from '../definition/kind.ts';
import { plainStrategy } from '../strategy/plain-strategy.ts';
import { Definitions } from './definitions.ts';
import { type DescribedResource, describedResources } from './described-resource.ts';
import { definitionOf, type DocumentSchemas, documentType } from './document-type.ts';
import { OpenApiDocumentError, readOpenApiDocument } from './openapi-document.ts';
import { StructuralSchemas } from './structural-schema.ts';

/**
 * The kinds that documents describe and that are not built in, as plain objects: the types, lists and
 * merge keys of their schemas apply, and nothing else. Of a kind in several documents the first one counts.
 *
 * @param builtIn the kinds that are served already
 * @throws {OpenApiDocumentError} for an invalid document, with the position of the error
 */
export function openApiKinds(
  documents: readonly JsonValue[],
  builtIn: readonly BuiltInKind[],
): BuiltInKind[] {
  const served = new Set(builtIn.map(({ type }) => `${type.group}/${type.resource}`));
  return documents.flatMap((document, index) => {
    const kinds = kindsOfDocument(document, { served, index });
    for (const { type } of kinds) served.add(`${type.group}/${type.resource}`);
    return kinds;
  });
}

function kindsOfDocument(
  document: JsonValue,
  { served, index }: { readonly served: ReadonlySet<string>; readonly index: number },
): BuiltInKind[] {
  try {
    return kindsIn(document, served);
  } catch (error) {
    throw error instanceof OpenApiDocumentError ? new OpenApiDocumentError(error.message, index) : error;
  }
}

function kindsIn(document: JsonValue, served: ReadonlySet<string>): BuiltInKind[] {
  const read = readOpenApiDocument(document);
  const described = describedResources(read.paths);
  if (described.length === 0) {
    throw new OpenApiDocumentError(
      'it describes no kinds: no path has the "x-kubernetes-action" "get" and "list"',
    );
  }
  const definitions = new Definitions(read);
  const schemas = { definitions, schemas: new StructuralSchemas(definitions) };
  return [...byResource(described)]
    .filter(([key]) => !served.has(key))
    .map(([, versions]) => kindOf(versions, schemas));
}

function byResource(described: readonly DescribedResource[]): Map<string, DescribedResource[]> {
  const found = new Map<string, DescribedResource[]>();
  for (const one of described) {
    const key = `${one.group}/${one.resource}`;
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return found;
}

function kindOf(described: readonly DescribedResource[], schemas: DocumentSchemas): BuiltInKind {
  const type = documentType(described, schemas);
  const { group, resource } = type;
  const generation = described.some((one) => hasSpec(one, schemas));
  return {
    type,
    strategy: plainStrategy({ generation }),
    storedAs: { prefix: group === '' ? `/registry/${resource}/` : `/registry/${group}/${resource}/` },
  };
}

/** What has a spec counts its changes, as most kinds do. */
function hasSpec(resource: DescribedResource, schemas: DocumentSchemas): boolean {
  const schema = schemas.definitions.get(definitionOf(resource, schemas));
  return Object.hasOwn(ownObject(schema, 'properties') ?? {}, 'spec');
}

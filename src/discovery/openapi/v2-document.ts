import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { modelName } from './model-name.ts';
import { builtInModels } from './models/built-in-models.ts';
import { kindInAllGroups } from './models/kind-in-all-groups.ts';
import { metaModels } from './models/meta-v1.ts';
import { kindSchemas, piecesOf } from './kind-schemas.ts';
import { type Operation, operationsOf } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { type NamesTemplate, namesTemplate } from './names-template.ts';
import { type ResourceNames, resourceNames } from './resource-names.ts';
import { type ResourceShape, resourceShape } from './resource-shape.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { parameterOrReference } from './shared-parameters.ts';
import { v2Form } from './spec-form.ts';
import { bodyParameter, parameterObject } from './swagger-parameter.ts';
import { bearerToken, documentInfo, operationExtensions, parametersOfAll } from './v3-document.ts';

/** Entries of the Swagger 2.0 document of the whole server. */
export interface SwaggerPart {
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

/** The head of the Swagger 2.0 document. */
export const swaggerHead: JsonObject = {
  swagger: '2.0',
  info: documentInfo,
  securityDefinitions: { BearerToken: bearerToken },
  security: [{ BearerToken: [] }],
};

/** The paths of a resource in all served versions. */
export function swaggerPaths(type: ResourceType): JsonObject {
  return Object.assign(
    {},
    ...servedVersions(type).map((version) =>
      pathItems(resourceNames(type, version), resourceShape(type, version)),
    ),
  );
}

/** The schemas of a resource in all served versions. */
export function swaggerDefinitions(type: ResourceType): JsonObject {
  return Object.assign(
    {},
    ...servedVersions(type).map((version) => kindSchemas({ type, version, form: v2Form })),
  );
}

function servedVersions({ versions }: ResourceType): ResourceVersion[] {
  return versions.filter(({ served }) => served);
}

/**
 * The text of {@link swaggerPaths}, without the outer braces. The paths of resources differ only in their names, so these are inserted
 * into texts that are made once for each shape, which is ten times faster than making the objects.
 */
export function swaggerPathsText(type: ResourceType): string {
  return servedVersions(type)
    .map((version) => pathsTemplate(resourceShape(type, version))(resourceNames(type, version)))
    .join(',');
}

/** By the JSON of the shape: at most 64. */
const pathsTemplates = new Map<string, NamesTemplate>();

function pathsTemplate(shape: ResourceShape): NamesTemplate {
  const key = JSON.stringify(shape);
  const template =
    pathsTemplates.get(key) ?? namesTemplate((names) => JSON.stringify(pathItems(names, shape)).slice(1, -1));
  pathsTemplates.set(key, template);
  return template;
}

function pathItems(names: ResourceNames, shape: ResourceShape): JsonObject {
  const paths: JsonObject = {};
  for (const [path, operations] of operationsOf(names, shape)) paths[path] = pathItem(operations);
  return paths;
}

/** The parameters and models shared by resources, besides the built-in ones; without their own schemas. */
export function sharedPiecesPart(types: readonly ResourceType[]): SwaggerPart {
  // Many kinds share most models, so each is made once.
  const models = new Map<string, JsonObject>();
  const own = new Set<string>();
  for (const type of types) {
    for (const version of servedVersions(type)) {
      for (const [name, model] of version.openApiModels?.() ?? []) models.set(name, model);
      own.add(modelName(type, version.name, type.kind));
    }
  }
  for (const name of [...own, ...builtInModels.keys()]) models.delete(name);
  return { paths: {}, definitions: piecesOf(models, v2Form) };
}

/** The entries of the server itself: non-resource endpoints and built-in models. */
export function serverPart(): SwaggerPart {
  const paths: JsonObject = {};
  for (const [path, operations] of [...serverEndpoints.values()].flatMap((onPaths) => [...onPaths])) {
    paths[path] = pathItem(operations);
  }
  const definitions: Record<string, JsonObject> = Object.fromEntries(
    [...builtInModels].map(([name, model]) => [name, v2Form.model(model)]),
  );
  const { [metaModels.deleteOptions]: options } = definitions;
  const kinds = kindInAllGroups('DeleteOptions', { ofAllServers: true });
  definitions[metaModels.deleteOptions] = { ...options, 'x-kubernetes-group-version-kind': kinds };
  return { paths, definitions };
}

function pathItem(operations: readonly Operation[]): JsonObject {
  const shared = parametersOfAll(operations);
  const item: JsonObject = { parameters: shared.map(swaggerParameter) };
  for (const operation of operations) {
    const own = operation.parameters.filter(({ name }) => !shared.some((one) => one.name === name));
    item[operation.method] = operationObject(operation, own);
  }
  return item;
}

function operationObject(operation: Operation, query: readonly Parameter[]): JsonObject {
  const { body } = operation;
  const responses: JsonObject = { 401: { description: 'Unauthorized' } };
  for (const { code, text, model } of operation.responses) {
    responses[code] = { description: text, schema: v2Form.ref(model) };
  }
  const parameters = [
    ...(body === undefined ? [] : [parameterOrReference(bodyParameter(body))]),
    ...query.map(swaggerParameter),
  ];
  return {
    description: operation.description,
    consumes: [...operation.consumes],
    produces: ['application/json', 'application/yaml'],
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses,
    ...operationExtensions(operation),
  };
}

function swaggerParameter(parameter: Parameter): JsonObject {
  return parameterOrReference(parameterObject(parameter));
}

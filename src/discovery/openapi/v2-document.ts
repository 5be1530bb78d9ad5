import type { ResourceType } from '../../crd/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { modelName } from './model-name.ts';
import { builtInModels } from './models/built-in-models.ts';
import { kindInAllGroups } from './models/kind-in-all-groups.ts';
import { metaModels } from './models/meta-v1.ts';
import { kindSchemas, pieceSchemas } from './kind-schemas.ts';
import { type Operation, operationsOf } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { parameterOrReference } from './shared-parameters.ts';
import { v2Form } from './spec-form.ts';
import { bodyParameter, parameterObject } from './swagger-parameter.ts';
import { bearerToken, documentInfo, operationExtensions, parametersOfAll } from './v3-document.ts';

/** The entries of one resource in the Swagger 2.0 document of the whole server. */
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

/** The entries of a resource: paths and schemas of all served versions. */
export function swaggerPart(type: ResourceType): SwaggerPart {
  const paths: JsonObject = {};
  const definitions: JsonObject = {};
  for (const version of type.versions) {
    if (!version.served) continue;
    Object.assign(definitions, kindSchemas({ type, version, form: v2Form }));
    for (const [path, operations] of operationsOf(type, version)) paths[path] = pathItem(operations);
  }
  return { paths, definitions };
}

/** The parameters and models shared by resources, besides the built-in ones; without their own schemas. */
export function sharedPiecesPart(types: readonly ResourceType[]): SwaggerPart {
  const pieces: JsonObject = {};
  const own = new Set<string>();
  for (const type of types) {
    for (const version of type.versions) {
      if (!version.served) continue;
      Object.assign(pieces, pieceSchemas({ version, form: v2Form }));
      own.add(modelName(type, version.name, type.kind));
    }
  }
  const definitions = Object.fromEntries(
    Object.entries(pieces).filter(([name]) => !own.has(name) && !builtInModels.has(name)),
  );
  return { paths: {}, definitions };
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

import type { ResourceType } from '../../crd/index.ts';
import { atOnce, compareBytes, type JsonObject, type JsonValue, type Steps } from '../../meta/index.ts';
import { withReferencedModels } from './models/built-in-models.ts';
import { ref } from './models/notation.ts';
import { kindSchemas, pieceSchemas } from './kind-schemas.ts';
import { metaModels } from './models/meta-v1.ts';
import { type Operation, type Operations, operationsOf } from './operations.ts';
import type { Parameter } from './parameters.ts';
import { resourceNames } from './resource-names.ts';
import { resourceShape } from './resource-shape.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { v3Form } from './spec-form.ts';

/** The header of both documents. */
export const documentInfo: JsonObject = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };

/** The authentication methods. */
export const bearerToken: JsonObject = {
  type: 'apiKey',
  description: 'A token as a bearer: "Authorization: Bearer <token>".',
  name: 'authorization',
  in: 'header',
};

const produces = ['application/json', 'application/yaml'];

/** `/openapi/v3/apis/<group>/<version>`: all kinds of a group version, with everything that they reference. */
export function openApiV3Document(types: readonly ResourceType[], versionName: string): JsonObject {
  return atOnce(openApiV3DocumentInSteps(types, versionName));
}

/** {@link openApiV3Document} as a generator: a group may have hundreds of kinds. */
export function* openApiV3DocumentInSteps(
  types: readonly ResourceType[],
  versionName: string,
): Steps<JsonObject> {
  const schemas: JsonObject = {};
  const pieces: JsonObject = {};
  const operations = new Map<string, readonly Operation[]>();
  for (const type of types) {
    const version = type.versions.find(({ name, served }) => served && name === versionName);
    if (version === undefined) continue;
    yield;
    Object.assign(pieces, pieceSchemas({ version, form: v3Form }));
    Object.assign(schemas, kindSchemas({ type, version, form: v3Form }));
    for (const [path, onPath] of operationsOf(resourceNames(type, version), resourceShape(type, version)))
      operations.set(path, onPath);
  }
  return yield* documentOf(operations, { ...pieces, ...schemas });
}

/** The documents of non-resource endpoints, by their path below `/openapi/v3/`. */
export function serverDocuments(): Map<string, JsonObject> {
  return new Map(
    [...serverEndpoints].map(([name, operations]) => [name, atOnce(documentOf(operations, {}))]),
  );
}

function* documentOf(operations: Operations, kinds: JsonObject): Steps<JsonObject> {
  const paths: JsonObject = {};
  const models = new Set(Object.keys(kinds).length === 0 ? [] : metadataModels);
  for (const [path, onPath] of operations) {
    yield;
    paths[path] = pathItem(onPath);
    for (const model of onPath.flatMap(modelsOf)) models.add(model);
  }
  const schemas = { ...kinds, ...Object.fromEntries(withReferencedModels(models)) };
  return {
    openapi: '3.0.0',
    info: documentInfo,
    paths,
    components: { schemas, securitySchemes: { BearerToken: bearerToken } },
  };
}

/** The models that every kind and its list reference. */
const metadataModels: readonly string[] = [metaModels.objectMeta, metaModels.listMeta];

function modelsOf({ body, responses }: Operation): string[] {
  return [...(body === undefined ? [] : [body.model]), ...responses.map(({ model }) => model)];
}

/** Parameters common to all operations of a path are listed on the path. */
function pathItem(operations: readonly Operation[]): JsonObject {
  const shared = parametersOfAll(operations);
  const item: JsonObject = { parameters: shared.map(parameterObject) };
  for (const operation of operations) {
    const own = operation.parameters.filter(({ name }) => !shared.some((one) => one.name === name));
    item[operation.method] = operationObject(operation, own);
  }
  return item;
}

/** The common parameters of a path's operations, by name. */
export function parametersOfAll([first, ...rest]: readonly Operation[]): Parameter[] {
  const everywhere = ({ name }: Parameter) =>
    rest.every(({ parameters }) => parameters.some((parameter) => parameter.name === name));
  return (first?.parameters ?? []).filter(everywhere).sort((a, b) => compareBytes(a.name, b.name));
}

function operationObject(operation: Operation, parameters: readonly Parameter[]): JsonObject {
  const { body, consumes, responses } = operation;
  const answers: JsonObject = { 401: { description: 'Unauthorized' } };
  for (const { code, text, model } of responses) {
    answers[code] = { description: text, content: content(produces, model) };
  }
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterObject) }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, consumes) }),
    responses: answers,
    ...operationExtensions(operation),
  };
}

/** The extensions by which kubectl finds the operations of a kind. */
export function operationExtensions({ subject }: Operation): JsonObject {
  if (subject === undefined) return {};
  const { action, kind } = subject;
  return { 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': { ...kind } };
}

function requestBody({ model, required }: NonNullable<Operation['body']>, consumes: readonly string[]) {
  return { ...(required ? { required } : {}), content: content(consumes, model) };
}

function content(mediaTypes: readonly string[], model: string): JsonObject {
  return Object.fromEntries(mediaTypes.map((type): [string, JsonValue] => [type, { schema: ref(model) }]));
}

function parameterObject({ name, in: place, description, type }: Parameter): JsonObject {
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}

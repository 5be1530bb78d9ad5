import { metaModels } from './models/meta-v1.ts';
import { scaleModel } from './models/autoscaling-v1.ts';
import { podModels } from './models/pods.ts';
import { nameParameter, namespaceParameter, type Parameter, queryParameters } from './parameters.ts';
import { capitalized, type ResourceNames } from './resource-names.ts';
import type { ResourceShape } from './resource-shape.ts';

/** One method of one path, independent of the OpenAPI version. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** The action and kind of the operation; undefined for non-resource paths. */
  readonly subject: Subject | undefined;
  readonly parameters: readonly Parameter[];
  readonly consumes: readonly string[];
  readonly body: { readonly model: string; readonly required: boolean } | undefined;
  readonly responses: readonly { readonly code: number; readonly text: string; readonly model: string }[];
}

interface Subject {
  /** Kubernetes' actions: get, list, put, post, patch, delete, deletecollection. */
  readonly action: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

/** The operations by their paths. */
export type Operations = ReadonlyMap<string, readonly Operation[]>;

interface Verb {
  readonly name: string;
  readonly method: Operation['method'];
  readonly action: string;
  readonly query: readonly Parameter[];
  readonly answers: readonly (keyof typeof answerTexts)[];
}

const answerTexts = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;

/** Source: apiextensions-apiserver, controller/openapi/builder/builder.go. */
const verbs = {
  list: { name: 'list', method: 'get', action: 'list', query: queryParameters.list, answers: [200] },
  create: {
    name: 'create',
    method: 'post',
    action: 'post',
    query: queryParameters.write,
    answers: [200, 201, 202],
  },
  deleteCollection: {
    name: 'deletecollection',
    method: 'delete',
    action: 'deletecollection',
    query: queryParameters.list,
    answers: [200],
  },
  read: { name: 'read', method: 'get', action: 'get', query: queryParameters.get, answers: [200] },
  replace: {
    name: 'replace',
    method: 'put',
    action: 'put',
    query: queryParameters.write,
    answers: [200, 201],
  },
  remove: {
    name: 'delete',
    method: 'delete',
    action: 'delete',
    query: queryParameters.delete,
    answers: [200, 202],
  },
  patch: { name: 'patch', method: 'patch', action: 'patch', query: queryParameters.patch, answers: [200] },
} as const satisfies Readonly<Record<string, Verb>>;

/** All operations on a resource in one version: its shape decides which there are, its names are inserted as they are. */
export function operationsOf(names: ResourceNames, shape: ResourceShape): Operations {
  const scope = new Scope(names, shape);
  const { collection, item } = scope;
  const paths = new Map<string, readonly Operation[]>();
  if (shape.isUnstored) {
    return paths.set(collection, [scope.operation(verbs.create, { answer: names.model, body: names.model })]);
  }
  if (shape.namespaced) {
    paths.set(`${names.root}/${names.resource}`, [scope.listAll()]);
  }
  paths.set(collection, [
    scope.operation(verbs.list, { answer: names.listModel }),
    scope.operation(verbs.create, { answer: names.model, body: names.model }),
    ...(shape.lacksDeleteCollection
      ? []
      : [scope.operation(verbs.deleteCollection, { answer: metaModels.status })]),
  ]);
  paths.set(item, [
    ...scope.readAndWrite('', names.model),
    scope.operation(verbs.remove, { answer: metaModels.status, body: metaModels.deleteOptions, named: true }),
  ]);
  if (shape.hasStatus) paths.set(`${item}/status`, scope.readAndWrite('status', names.model));
  if (shape.hasScale) paths.set(`${item}/scale`, scope.readAndWrite('scale', scaleModel));
  if (shape.isPods) addPodRequests(paths, scope);
  return paths;
}

const evictionKind = { group: 'policy', version: 'v1', kind: 'Eviction' };
const bindingKind = { group: '', version: 'v1', kind: 'Binding' };

/** Kinds of their own that are posted about pods. */
function addPodRequests(paths: Map<string, readonly Operation[]>, scope: Scope): void {
  const { eviction, binding } = podModels;
  paths.set(`${scope.item}/eviction`, [
    scope.request(evictionKind, { model: eviction, subresource: 'eviction' }),
  ]);
  paths.set(`${scope.item}/binding`, [
    scope.request(bindingKind, { model: binding, subresource: 'binding' }),
  ]);
  paths.set(`${scope.names.root}/namespaces/{namespace}/bindings`, [
    scope.request(bindingKind, { model: binding }),
  ]);
}

interface Models {
  readonly answer: string;
  readonly body?: string;
  /** Whether the path names one object. */
  readonly named?: true;
  readonly subresource?: string;
}

/** A resource in one version, and its operations. */
class Scope {
  readonly names: ResourceNames;
  readonly #shape: ResourceShape;
  readonly collection: string;
  readonly item: string;

  constructor(names: ResourceNames, shape: ResourceShape) {
    this.names = names;
    this.#shape = shape;
    const place = shape.namespaced ? `${names.root}/namespaces/{namespace}` : names.root;
    this.collection = `${place}/${names.resource}`;
    this.item = `${this.collection}/{name}`;
  }

  readAndWrite(subresource: string, model: string): Operation[] {
    const models = { answer: model, named: true, subresource } as const;
    return [
      this.operation(verbs.read, models),
      this.operation(verbs.replace, { ...models, body: model }),
      this.operation(verbs.patch, { ...models, body: metaModels.patch }),
    ];
  }

  listAll(): Operation {
    const operation = this.operation(verbs.list, { answer: this.names.listModel });
    const parameters = operation.parameters.filter((parameter) => parameter !== namespaceParameter);
    return { ...operation, id: this.#id('list', `${this.names.kind}ForAllNamespaces`), parameters };
  }

  operation(verb: Verb, models: Models): Operation {
    const { group, version, kind, tag } = this.names;
    const { named, answer, body, subresource = '' } = models;
    const path = [
      ...(this.#shape.namespaced ? [namespaceParameter] : []),
      ...(named ? [nameParameter(kind)] : []),
    ];
    return {
      method: verb.method,
      id: this.#operationId(verb, subresource),
      tag,
      description: describe(verb, this.names, subresource),
      subject: { action: verb.action, kind: { group, version, kind } },
      parameters: [...path, ...verb.query],
      consumes: this.#consumes(verb),
      body: body === undefined ? undefined : { model: body, required: verb !== verbs.remove },
      responses: verb.answers.map((code) => ({ code, text: answerTexts[code], model: answer })),
    };
  }

  /** A create of another kind: at a subresource of an object, or at a collection that stores nothing. */
  request(kind: Subject['kind'], { model, subresource }: { model: string; subresource?: string }): Operation {
    const create = this.operation(verbs.create, { answer: model, body: model });
    const named = subresource !== undefined;
    const id = `Namespaced${named ? `${this.names.kind}${capitalized(subresource)}` : kind.kind}`;
    return {
      ...create,
      id: this.#id('create', id),
      description: named ? `create ${subresource} of a ${this.names.kind}` : `create a ${kind.kind}`,
      subject: { action: verbs.create.action, kind },
      parameters: [...create.parameters, ...(named ? [nameParameter(kind.kind)] : [])],
    };
  }

  #consumes(verb: Verb): string[] {
    if (verb !== verbs.patch) return ['application/json', 'application/yaml'];
    const strategic = this.#shape.isBuiltIn ? ['application/strategic-merge-patch+json'] : [];
    return [
      'application/json-patch+json',
      'application/merge-patch+json',
      ...strategic,
      'application/apply-patch+yaml',
    ];
  }

  #operationId(verb: Verb, subresource: string): string {
    const place = this.#shape.namespaced ? 'Namespaced' : '';
    const what = `${place}${this.names.kind}${capitalized(subresource)}`;
    return verb === verbs.deleteCollection
      ? this.#id('delete', `Collection${what}`)
      : this.#id(verb.name, what);
  }

  /** `listExampleComV1NamespacedWidget` */
  #id(verb: string, what: string): string {
    return `${verb}${this.names.idPrefix}${what}`;
  }
}

function describe(verb: Verb, { kind, aKind }: ResourceNames, subresource: string): string {
  const of = subresource === '' ? '' : ` ${subresource} of`;
  switch (verb.name) {
    case 'list':
      return `list objects of kind ${kind}`;
    case 'create':
    case 'delete':
      return `${verb.name} ${aKind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    case 'patch':
      return `partially update${of} the specified ${kind}`;
    default:
      return `${verb.name}${of} the specified ${kind}`;
  }
}

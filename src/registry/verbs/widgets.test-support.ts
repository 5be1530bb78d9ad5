import { AdmissionChain, type AdmissionPlugin } from '../../admission/index.ts';
import { compileResourceType } from '../../crd/index.ts';
import {
  defaultFeatureGates,
  defaultSelectorOptions,
  type JsonObject,
  type KubeObject,
  type PatchOptions,
  StatusError,
} from '../../meta/index.ts';
import { compileRules, RuleEnvironments, SchemaCache } from '../../schema/index.ts';
import { createMemoryStore } from '../../storage/index.ts';
import { applyObject } from './apply.ts';
import { Warnings } from '../request/context.ts';
import { renamingConverter } from '../representation/convert.ts';
import { createObject } from './create.ts';
import { customResourceStrategy, type Endpoint, type Strategy } from '../../kinds/index.ts';
import { FieldManagement } from '../resource/field-management.ts';
import { GateCounts } from '../write/gate-counts.ts';
import { getObject } from './get.ts';
import { Filters } from '../filter/filters.ts';
import { type PatchType, patchObject } from './patch.ts';
import { Resource } from '../resource/resource.ts';
import { patchScale } from './scale.ts';
import { type ObjectTarget, objectTargetOf, targetOf } from '../resource/target.ts';
import type { WriteResult } from './change-object.ts';
import { updateObject } from './update.ts';

const environments = new RuleEnvironments({ major: 1, minor: 35 });
const gates = defaultFeatureGates();
const schemas = new SchemaCache({
  gates,
  compileRules: compileRules(environments),
});
const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The CRD of cluster-scoped widgets, with the schemas and subresources of its versions. */
export interface WidgetType {
  readonly schema?: JsonObject;
  readonly subresources?: JsonObject;
  /** Names of versions; the first is the stored one. */
  readonly versions?: readonly string[];
  readonly featureGates?: readonly JsonObject[];
  /** False if every write has its own objects; see `Strategy.sharesUnchanged`. */
  readonly sharesUnchanged?: boolean;
}

function rulesOf(widgetType: WidgetType, onUpdate: () => void) {
  const { schema = anything, subresources = {}, versions = ['v1'], featureGates = [] } = widgetType;
  const { sharesUnchanged = true } = widgetType;
  const versionOf = (name: string, index: number) => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: schema },
    subresources,
  });
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget' };
  const spec = {
    group: 'example.com',
    scope: 'Cluster',
    names,
    versions: versions.map(versionOf),
    customFeatureGates: { featureGates: [...featureGates] },
  };
  const crd = { metadata: { name: 'widgets.example.com', uid: '1' }, spec };
  const type = compileResourceType(crd, { gates, schemas });
  const converter = renamingConverter(type);
  const validateUpdate: Strategy['validateUpdate'] = (...update) => {
    onUpdate();
    return customResourceStrategy.validateUpdate(...update);
  };
  const strategy = { ...customResourceStrategy, validateUpdate, sharesUnchanged };
  return { type, strategy, converter, fields: new FieldManagement(type) };
}

export function widget(name: string, rest: JsonObject = {}, version = 'v1'): KubeObject {
  return { apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { name }, ...rest };
}

/** The target and options of a request, without its body. */
export interface WidgetRequest extends Partial<PatchOptions> {
  readonly endpoint?: Endpoint;
  readonly version?: string;
  readonly user?: string;
}

/** The result of a write for a client. */
export interface WidgetAnswer {
  readonly code: number;
  readonly body: KubeObject;
  readonly warnings: readonly string[];
}

/** Widgets without a server: the registry's verbs on a memory store, with a clock that the test controls. */
export class Widgets {
  /** Milliseconds since the epoch. */
  nowMs = 0;
  readonly resource: Resource;
  readonly #store = createMemoryStore();
  readonly #admission: AdmissionChain;
  readonly #onUpdate: () => void;

  /** @param onUpdate called with each validated update */
  constructor(
    type: WidgetType = {},
    plugins: readonly AdmissionPlugin[] = [],
    onUpdate: () => void = () => {},
  ) {
    this.#admission = new AdmissionChain(plugins);
    this.#onUpdate = onUpdate;
    this.resource = new Resource(rulesOf(type, onUpdate), {
      store: this.#store,
      clock: this.parts.clock,
      selectors: defaultSelectorOptions,
      filters: new Filters(() => environments.forNew, this.parts.clock),
    });
  }

  get parts() {
    return {
      store: this.#store,
      clock: { now: () => this.nowMs },
      random: (bytes: number) => new Uint8Array(bytes),
      admission: this.#admission,
      gateCounts: new GateCounts(),
    };
  }

  /** Replaces this CRD by another one with the same name. */
  become(type: WidgetType): void {
    this.resource.swap(rulesOf(type, this.#onUpdate));
  }

  target(name: string, { endpoint = '', version = 'v1' }: WidgetRequest = {}): ObjectTarget {
    const { resource } = this;
    const { type, epoch, changes } = resource;
    const served = type.versions.find((one) => one.name === version) ?? type.storageVersion;
    return objectTargetOf(targetOf({ resource, type, version: served, epoch, changes }, ''), name, endpoint);
  }

  context({ fieldManager = 'me', user = 'me' }: WidgetRequest = {}) {
    const { signal } = new AbortController();
    return { user: { name: user, groups: [] }, fieldManager, signal, warnings: new Warnings() };
  }

  async create(object: KubeObject, request: WidgetRequest = {}): Promise<KubeObject> {
    const target = this.target('', request);
    const context = this.context(request);
    const options = optionsOf(request);
    return (await createObject(this.parts, { target, body: { value: object }, options, context })).object();
  }

  async get(name: string, request: WidgetRequest = {}): Promise<KubeObject> {
    const get = { target: this.target(name, request), resourceVersion: '', context: this.context() };
    return (await getObject(this.parts, get)).object();
  }

  /** The stored object, and its cached decoded form. */
  async stored(name: string): Promise<{ bytes: Buffer; recent: KubeObject | undefined } | undefined> {
    const { view, recent } = this.resource;
    await view.consistent({ timeoutMs: 1_000 });
    const entry = view.get(this.resource.key('', name));
    return entry && { bytes: Buffer.from(entry.value), recent: recent.get(entry.modRevision) };
  }

  put(object: KubeObject, name: string, request: WidgetRequest = {}): Promise<WidgetAnswer> {
    return this.#answer(request, (context) => {
      const target = this.target(name, request);
      return updateObject(this.parts, {
        target,
        body: { value: object },
        options: optionsOf(request),
        context,
      });
    });
  }

  patch(type: PatchType, body: unknown, name: string, request: WidgetRequest = {}): Promise<WidgetAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.#answer(request, (context) => {
      const target = this.target(name, request);
      const patch = { target, bytes: Buffer.from(text), options: optionsOf(request), context };
      return type === 'apply' ? applyObject(this.parts, patch) : patchObject(this.parts, { ...patch, type });
    });
  }

  scale(patch: JsonObject, name: string, request: WidgetRequest = {}): Promise<WidgetAnswer> {
    return this.#answer(request, (context) => {
      const target = this.target(name, { ...request, endpoint: 'scale' });
      const bytes = Buffer.from(JSON.stringify(patch));
      return patchScale(this.parts, { target, type: 'merge', bytes, options: optionsOf(request), context });
    });
  }

  async #answer(
    request: WidgetRequest,
    write: (context: ReturnType<Widgets['context']>) => Promise<WriteResult>,
  ): Promise<WidgetAnswer> {
    const context = this.context(request);
    const warnings = () => context.warnings.list();
    try {
      const { responseObject, created } = await write(context);
      return { code: created ? 201 : 200, body: responseObject.object(), warnings: warnings() };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { code: error.code, body: JSON.parse(JSON.stringify(error.status)), warnings: warnings() };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.resource.close();
    await this.#store.close();
  }
}

function optionsOf({
  dryRun = false,
  fieldManager = 'me',
  fieldValidation = 'Warn',
  force = false,
}: WidgetRequest) {
  return { dryRun, fieldManager, fieldValidation, force };
}

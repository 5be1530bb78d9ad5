import {
  type CrdConditions,
  compileResourceType,
  crdConditions,
  crdWithoutSchemas,
  storedSchema,
} from '../../crd/index.ts';
import {
  equal,
  type FeatureGates,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  limits,
  metadataOf,
  metadataString,
  own,
  ownObject,
  type SelectorOptions,
} from '../../meta/index.ts';
import type { SchemaCache } from '../../schema/index.ts';
import { conversionRules } from '../resource/conversion-rules.ts';
import type { ConnectConversion } from '../representation/convert.ts';
import { customResourceStrategy } from '../../kinds/index.ts';
import { decodeStoredValue } from '../representation/stored-value.ts';
import type { Resource, ResourceRules, ResourceState } from '../resource/resource.ts';

interface CustomResourcesOptions {
  readonly gates: FeatureGates;
  readonly selectors: SelectorOptions;
  readonly schemas: SchemaCache;
  /** Creates the clients of conversion webhooks. */
  readonly connectConversion: ConnectConversion;
  readonly makeResource: (rules: ResourceRules) => Resource;
  /** Called for every new or changed resource. */
  readonly onPut: (resource: Resource) => void;
  /** Called with every removed resource. */
  readonly onDrop: (resource: Resource) => void;
  /** Called for a CRD whose schemas cannot be read on first use; it is no longer served. */
  readonly onUnreadable: (name: string, error: unknown) => void;
}

/** The properties that distinguish states of a CRD for its users. */
interface Identity {
  readonly uid: string;
  /** Increases with every change of the spec. */
  readonly generation: JsonValue | undefined;
  /** The accepted names; resources are served by these. */
  readonly acceptedNames: JsonValue | undefined;
  readonly conditions: CrdConditions;
}

interface Entry {
  readonly identity: Identity;
  readonly resource: Resource;
}

/** A snapshot for forks of the server. */
export type CustomResourcesState = ReadonlyMap<
  string,
  { readonly identity: Identity; readonly resource: ResourceState }
>;

/** The resources of all stored CRDs, by CRD name. Schemas are parsed on first use. */
export class CustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #retired = new Map<Resource, NodeJS.Timeout>();

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
  }

  /** The current resources. */
  state(): CustomResourcesState {
    return new Map(
      [...this.#entries].map(([name, { identity, resource }]) => [
        name,
        { identity, resource: resource.state() },
      ]),
    );
  }

  /** @see Resource.openWritten */
  openWritten(): void {
    for (const { resource } of this.#entries.values()) resource.openWritten();
  }

  /** Takes the resources of another server, without decoding or compiling them again. */
  goOnFrom(state: CustomResourcesState, fork: (state: ResourceState) => Resource): void {
    for (const [name, { identity, resource: theirs }] of state) {
      const resource = fork(theirs);
      this.#entries.set(name, { identity, resource });
      this.#options.onPut(resource);
    }
  }

  get names(): Iterable<string> {
    return this.#entries.keys();
  }

  /**
   * Adds a stored CRD. If spec and names are unchanged, the resource stays; irrelevant changes are not reported.
   *
   * @param decoded the decoded bytes, if available; may be shared
   * @throws {CrdDecodeError} for bytes that are not a CRD
   */
  put(name: string, bytes: Uint8Array, decoded?: Readonly<KubeObject>): void {
    const crd = crdWithoutSchemas(decoded ?? objectIn(bytes));
    const identity = identityOf(crd);
    const known = this.#entries.get(name);
    if (known === undefined || known.identity.uid !== identity.uid)
      return this.#begin(name, { crd, identity, bytes });
    const { resource } = known;
    if (!sameSpec(known.identity, identity)) resource.swap(this.#rulesOf(name, crd, bytes));
    else if (sameConditions(known.identity.conditions, identity.conditions)) return;
    else amend(resource, identity.conditions);
    this.#entries.set(name, { identity, resource });
    this.#options.onPut(resource);
  }

  /** Removes a CRD if it is known; a later CRD of the same name shares nothing with it. */
  drop(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#options.onDrop(entry.resource);
    this.#retire(entry.resource);
  }

  /** Closes every view. */
  async close(): Promise<void> {
    for (const timer of this.#retired.values()) clearTimeout(timer);
    const resources = [
      ...this.#retired.keys(),
      ...[...this.#entries.values()].map(({ resource }) => resource),
    ];
    await Promise.all(resources.map((resource) => resource.close()));
  }

  /** Requests in progress still use its view, so the view is closed after a delay. */
  #retire(resource: Resource): void {
    resource.retire();
    const close = () => {
      this.#retired.delete(resource);
      void resource.close();
    };
    this.#retired.set(resource, setTimeout(close, limits.retiredResourceMs).unref());
  }

  #begin(name: string, made: { crd: KubeObject; identity: Identity; bytes: Uint8Array }): void {
    const resource = this.#options.makeResource(this.#rulesOf(name, made.crd, made.bytes));
    this.drop(name);
    this.#entries.set(name, { identity: made.identity, resource });
    this.#options.onPut(resource);
  }

  #rulesOf(name: string, crd: KubeObject, bytes: Uint8Array): ResourceRules {
    const { gates, selectors, schemas, connectConversion } = this.#options;
    const schemaOf = (version: string) => this.#schemaIn(name, bytes, version);
    const type = compileResourceType(crd, { gates, selectors, schemas, schemaOf });
    return { type, strategy: customResourceStrategy, ...conversionRules(type, connectConversion) };
  }

  /** Only another writer of the same storage can have stored an invalid schema. */
  #schemaIn(name: string, bytes: Uint8Array, version: string): JsonObject | undefined {
    try {
      return storedSchema(objectIn(bytes), version);
    } catch (error) {
      this.#options.onUnreadable(name, error);
      throw error;
    }
  }
}

function objectIn(bytes: Uint8Array): KubeObject {
  return decodeStoredValue(bytes) ?? {};
}

function identityOf(crd: KubeObject): Identity {
  return {
    uid: metadataString(crd, 'uid'),
    generation: own(metadataOf(crd), 'generation'),
    acceptedNames: own(ownObject(crd, 'status') ?? {}, 'acceptedNames'),
    conditions: crdConditions(crd),
  };
}

function sameSpec(a: Identity, b: Identity): boolean {
  return (
    equal(a.generation, b.generation) &&
    equal(a.acceptedNames, b.acceptedNames) &&
    a.conditions.served === b.conditions.served
  );
}

function sameConditions(a: CrdConditions, b: CrdConditions): boolean {
  return a.established === b.established && a.terminating === b.terminating && a.served === b.served;
}

function amend(resource: Resource, conditions: CrdConditions): void {
  const { strategy, converter, fields, type } = resource;
  resource.amend({ strategy, converter, fields, type: Object.freeze({ ...type, ...conditions }) });
}

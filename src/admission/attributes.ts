import {
  type GroupVersionKind,
  type GroupVersionResource,
  type JsonObject,
  type KubeObject,
  nameOf,
  type TrackLayer,
  type UserInfo,
} from '../meta/index.ts';
import type { AdmissionObserver, AdmissionRecord } from './admission-record.ts';
import type { ObjectConversions } from './object-conversions.ts';
import { Reinvocation } from './reinvocation.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The kind of a write: everything that decides whether a plugin is called at all. */
export interface AdmissionScope {
  readonly operation: Operation;
  /** In the version of the request. */
  readonly resource: GroupVersionResource;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** The inputs of {@link AdmissionAttributes}. */
interface AdmissionAttributesInit extends AdmissionScope {
  /** The kind of the objects: Scale at `/scale`. */
  readonly kind: GroupVersionKind;
  /** Empty for cluster-scoped resources; a Namespace's own name for a Namespace. */
  readonly namespace: string;
  /** Empty before the server generates one from `generateName`, and for each object of a deletecollection. */
  readonly name: string;
  /** The object to be written; undefined for a delete. */
  readonly object: KubeObject | undefined;
  /** The stored object; undefined for a create. */
  readonly oldObject: KubeObject | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions as clients send them, with `kind` and `apiVersion`. */
  readonly options: () => JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** The minimum revision of other objects that plugins read; undefined for the latest. */
  readonly minRevision: number | undefined;
  /** Returns the signal that cancels the request; created on first use. */
  readonly signal: () => AbortSignal;
  /** Whether the object is put back as it was stored before: what depends on other objects may not be there. */
  readonly isRestored?: boolean | undefined;
  /** Adds a `Warning` header. */
  readonly warn: (text: string) => void;
  /** Adds an audit annotation. */
  readonly annotate: (key: string, value: string) => void;
  /** Counts how long webhooks take, where that is asked for. */
  readonly track?: TrackLayer | undefined;
  readonly conversions: ObjectConversions;
}

const none: readonly never[] = Object.freeze([]);

/**
 * The attributes of a write before it is stored. Objects are in the version of the request and shared: a plugin
 * never changes one in place, but passes a new one to {@link replaceObject}.
 * Source: apiserver, pkg/admission/interfaces.go, Attributes.
 */
export class AdmissionAttributes implements AdmissionScope {
  readonly #init: AdmissionAttributesInit;
  #object: KubeObject | undefined;
  #options: JsonObject | undefined;
  #observers: readonly AdmissionObserver[] = none;
  #reinvocation: Reinvocation | undefined;

  constructor(init: AdmissionAttributesInit) {
    this.#init = init;
    this.#object = init.object;
  }

  get operation(): Operation {
    return this.#init.operation;
  }

  get resource(): GroupVersionResource {
    return this.#init.resource;
  }

  get subresource(): string {
    return this.#init.subresource;
  }

  get kind(): GroupVersionKind {
    return this.#init.kind;
  }

  get namespace(): string {
    return this.#init.namespace;
  }

  /** Empty before the server generates one from `generateName`. */
  get name(): string {
    const { name, operation } = this.#init;
    return name !== '' || operation === 'DELETE' ? name : nameOf(this.#object ?? {});
  }

  /** Shared by both rounds of plugins for this write. */
  get reinvocation(): Reinvocation {
    return (this.#reinvocation ??= new Reinvocation());
  }

  get object(): KubeObject | undefined {
    return this.#object;
  }

  get oldObject(): KubeObject | undefined {
    return this.#init.oldObject;
  }

  get options(): JsonObject {
    return (this.#options ??= this.#init.options());
  }

  get dryRun(): boolean {
    return this.#init.dryRun;
  }

  get user(): UserInfo {
    return this.#init.user;
  }

  get minRevision(): number | undefined {
    return this.#init.minRevision;
  }

  /** Whether the object is put back as it was stored before. */
  get isRestored(): boolean {
    return this.#init.isRestored === true;
  }

  get signal(): AbortSignal {
    return this.#init.signal();
  }

  get conversions(): ObjectConversions {
    return this.#init.conversions;
  }

  /** Adds an observer of what admission does about the write. */
  observe(observer: AdmissionObserver): void {
    if (!this.#observers.includes(observer)) this.#observers = [...this.#observers, observer];
  }

  /** Notifies the observers. */
  record(record: AdmissionRecord): void {
    for (const observer of this.#observers) observer(record);
  }

  warn(text: string): void {
    this.#init.warn(text);
  }

  /** Counts how long webhooks take, where that is asked for. */
  get track(): TrackLayer | undefined {
    return this.#init.track;
  }

  annotate(key: string, value: string): void {
    this.#init.annotate(key, value);
  }

  /** Replaces the object to be written. Below its root and metadata, the new one may share with the old one. */
  replaceObject(object: KubeObject): void {
    this.#object = object;
  }
}

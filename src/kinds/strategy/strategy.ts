import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import type { Clock, FieldError, KubeObject, NameRule, UserInfo } from '../../meta/index.ts';
import type { ValidationReport } from '../../schema/index.ts';

/** What a strategy may know of the request. */
export interface StrategyContext {
  readonly type: ResourceType;
  /** The version of the request, which the objects are in. */
  readonly version: ResourceVersion;
  readonly clock: Clock;
  /** Who writes. */
  readonly user: UserInfo;
}

/** The stored objects of the same resource, for a strategy that compares an object with all others. */
export interface StoredPeers {
  /** One for each resource of a server: a fork of the server has its own. */
  readonly resource: object;
  /** Waits until {@link all} includes every write that was acknowledged before. @throws {StatusError} 503, 504 */
  waitForLatest(): Promise<unknown>;
  /** The storage key of an object. */
  keyOf(object: KubeObject): string;
  /** Every stored object. */
  all(): Iterable<StoredPeer>;
  /** Where several servers share the storage: how their writes under way learn of each other. */
  readonly claims?: Claims;
}

/** Names that only one write has at a time, of all servers on a storage. */
export interface Claims {
  /** Takes a name for a write of a resource; undefined where another one has it. @throws {StatusError} 503, 504 */
  take(name: string): Promise<Claim | undefined>;
  /** Gives a name back, some time soon. */
  giveBack(claim: Claim): void;
}

/** A key of the storage, and the revision that it has as long as the name is the write's. */
export interface Claim {
  readonly key: string;
  readonly modRevision: number;
}

/** What a write has taken that only one object may have. */
export interface Reservation {
  /** If one of these is lost, another server has the reservation, and the write must not be committed. */
  readonly claims: readonly Claim[];
  /** Releases the reservation after the write, whether or not it succeeded. */
  release(): void;
}

/** One stored object. */
export interface StoredPeer {
  /** The same object for as long as the stored bytes are the same; for caches. */
  readonly identity: object;
  readonly key: string;
  /** The decoded object, in the version of the request. */
  object(): KubeObject;
}

/** The part of an object that an update may change. */
export type Endpoint = '' | 'status' | 'scale' | 'finalize' | 'approval' | 'binding' | PodEndpoint;

/** The endpoints of pods that change a part of the spec. */
type PodEndpoint = 'ephemeralcontainers' | 'resize';

/** The known properties of an object before it is stored. */
export interface WrittenShape {
  /** The object before the write; undefined for a new one. */
  readonly old: KubeObject | undefined;
  /** False where only defaults have been applied, or none: after an apply and a change by `/scale`. */
  readonly isShaped: boolean;
}

/**
 * What a kind does with its objects, at named moments in this order. The objects are the caller's own and are changed
 * in place. Source of the moments: upstream's rest.RESTCreateStrategy and RESTUpdateStrategy.
 */
export interface Strategy {
  /** Whether a PUT may omit the resourceVersion; not for custom resources. */
  readonly allowUnconditionalUpdate: boolean;
  /** May a PUT create what is not there? */
  readonly allowCreateOnUpdate: boolean;
  /** True if {@link validateCreate} validates the metadata itself. */
  readonly validatesMetadata?: boolean;
  /**
   * True where nothing of an object is changed in place below its root and its metadata. An object that is updated then
   * shares with the old one what is the same in both, so that a small change of a large object costs little.
   */
  readonly sharesUnchanged?: boolean;
  /** How a name must look. */
  readonly nameRule: NameRule;
  /** The group of the kind in refusals, if it differs: upstream names that of another version. */
  readonly groupInRefusals?: string;
  /**
   * Takes, before all that follows, what only one object may have, such as an address, and writes it into the object.
   *
   * @throws {StatusError} 422 where another object has it, 500 where there is none left
   */
  reserve?(object: KubeObject, old: KubeObject | undefined, peers: StoredPeers): Promise<Reservation>;
  /** Before validation: removes fields that clients may not set, and sets those of the server. */
  prepareForCreate(object: KubeObject, context: StrategyContext): void;
  /** Everything besides ObjectMeta. */
  validateCreate(object: KubeObject, context: StrategyContext): ValidationReport;
  /** After validation of a create or an update: normalizes the object as if it were read from storage. */
  shapeStored?(object: KubeObject, context: StrategyContext, shape: WrittenShape): void;
  /** As {@link prepareForCreate}; fields that the endpoint may not change are restored from the old object. */
  prepareForUpdate(object: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext): void;
  validateUpdate(
    object: KubeObject,
    old: KubeObject,
    endpoint: Endpoint,
    context: StrategyContext,
  ): ValidationReport;
  /**
   * Decides about a delete: `keep` changes the object (marks it) instead of removing it.
   * Left out by kinds that have only metadata.finalizers to mind.
   */
  prepareForDelete?(object: KubeObject, context: StrategyContext): readonly FieldError[];
  /**
   * The grace period of a deleted object in seconds; above 0, the object stays until a delete with a grace period of 0.
   * `asked` is the period in the request. Absent for kinds without grace periods. Source: apiserver,
   * rest.RESTGracefulDeleteStrategy.
   */
  gracePeriodSeconds?(object: KubeObject, asked: number | undefined): number;
  /** True where a delete is answered with the object that went, not with a Status about it. */
  readonly returnsDeleted?: boolean;
  /** True where something besides metadata.finalizers still holds a deleted object back. */
  holdsDeletion?(object: KubeObject): boolean;
  /** True where every write reads the objects: one of them is acknowledged once this server's own view shows it. */
  readonly readByWrites?: boolean;
}

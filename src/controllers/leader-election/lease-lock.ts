import { type Clock, type KubeObject, metadataString, own, ownObject, ownString } from '../../meta/index.ts';
import type { ObjectTarget, Registry, RequestContext } from '../../registry/index.ts';
import { bodyOf, controllerContext, isNotFound, objectTargetOf, servedTarget } from '../client.ts';

const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const writeOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/** The leader according to a Lease. Source: client-go, tools/leaderelection/resourcelock. */
export interface LeaderRecord {
  /** Empty if the lease is not held. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

/** A record that was read or written. */
export interface HeldRecord {
  readonly record: LeaderRecord;
  /** Tells one writing of it from every other. */
  readonly resourceVersion: string;
}

interface LeaseLockOptions {
  readonly registry: Registry;
  readonly namespace: string;
  readonly name: string;
}

/** The Lease that candidates write to. What another one wrote meanwhile is a conflict. */
export class LeaseLock {
  readonly #options: LeaseLockOptions;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Undefined where there is no Lease. */
  async get(signal: AbortSignal): Promise<HeldRecord | undefined> {
    const target = await this.#target();
    try {
      const responseObject = await this.#options.registry.get({
        target,
        resourceVersion: '',
        context: this.#context(signal),
      });
      return heldRecord(responseObject.object());
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** @throws {StatusError} 409 where another candidate was first */
  async create(record: LeaderRecord, signal: AbortSignal): Promise<HeldRecord> {
    const { registry } = this.#options;
    const target = await this.#target();
    const context = this.#context(signal);
    const body = bodyOf(this.#lease(record, {}));
    return heldRecord((await registry.create({ target, body, options: writeOptions, context })).object());
  }

  /** Writes over a record that was seen. @throws {StatusError} 409 where it is not the latest any more */
  async update(record: LeaderRecord, seen: HeldRecord, signal: AbortSignal): Promise<HeldRecord> {
    const { registry } = this.#options;
    const target = await this.#target();
    const body = bodyOf(this.#lease(record, { resourceVersion: seen.resourceVersion }));
    const context = this.#context(signal);
    const { responseObject } = await registry.update({ target, body, options: writeOptions, context });
    return heldRecord(responseObject.object());
  }

  #lease(record: LeaderRecord, metadata: KubeObject): KubeObject {
    const { namespace, name } = this.#options;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace, ...metadata },
      spec: { ...record },
    };
  }

  async #target(): Promise<ObjectTarget> {
    const { registry, namespace, name } = this.#options;
    return objectTargetOf(await servedTarget(registry, leases, namespace), name);
  }

  #context(signal: AbortSignal): RequestContext {
    return controllerContext('ilk', signal);
  }
}

function heldRecord(lease: KubeObject): HeldRecord {
  const spec = ownObject(lease, 'spec') ?? {};
  const text = (field: string) => ownString(spec, field) ?? '';
  const number = (field: string) => {
    const value = own(spec, field);
    return typeof value === 'number' ? value : 0;
  };
  return {
    record: {
      holderIdentity: text('holderIdentity'),
      leaseDurationSeconds: number('leaseDurationSeconds'),
      acquireTime: text('acquireTime'),
      renewTime: text('renewTime'),
      leaseTransitions: number('leaseTransitions'),
    },
    resourceVersion: metadataString(lease, 'resourceVersion'),
  };
}

/** metav1.MicroTime. `2026-11-21T04:05:06.007000Z` */
export function microTime(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace('Z', '000Z');
}

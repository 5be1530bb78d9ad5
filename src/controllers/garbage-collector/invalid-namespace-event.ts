import { type Clock, formatTime, type KubeObject } from '../../meta/index.ts';
import type { Registry } from '../../registry/index.ts';
import { bodyOf, controllerContext, servedTarget } from '../client.ts';
import { identityOf, identityText } from './identity.ts';
import type { GraphNode } from './node.ts';

const component = 'garbage-collector-controller';
const writeOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/** Tells a dependent, by an event, that its owner does not live where it does. Gives each event another name. */
export class InvalidNamespaceEvents {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #events = 0;

  constructor(
    registry: Registry,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ) {
    this.#registry = registry;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** @throws {StatusError} where events cannot be written, as in a namespace that is being deleted */
  async tell(dependent: GraphNode, ownerUid: string): Promise<void> {
    const reference = dependent.owners.find(({ uid }) => uid === ownerUid);
    if (reference === undefined) return;
    const { namespace } = dependent.identity;
    const message = `ownerRef ${identityText(identityOf(reference, namespace))} does not exist in namespace ${JSON.stringify(namespace)}`;
    const home = namespace === '' ? 'default' : namespace;
    const events = { group: '', version: 'v1', resource: 'events' };
    await this.#registry.create({
      target: await servedTarget(this.#registry, events, home),
      body: bodyOf(this.#event(dependent, message, home)),
      options: writeOptions,
      context: controllerContext('ilk', this.#signal),
    });
  }

  #event({ identity }: GraphNode, message: string, namespace: string): KubeObject {
    const nowMs = this.#clock.now();
    this.#events += 1;
    const suffix = (BigInt(Math.trunc(nowMs)) * 1_000_000n + BigInt(this.#events)).toString(16);
    const { apiVersion, kind, name, uid } = identity;
    const involved = { apiVersion, kind, name, uid };
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace },
      involvedObject: identity.namespace === '' ? involved : { ...involved, namespace: identity.namespace },
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      firstTimestamp: formatTime(nowMs),
      lastTimestamp: formatTime(nowMs),
      count: 1,
    };
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FeatureGates,
  isObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { type IlkServer, startServer } from '../../server.ts';
import { ApiClient } from '../api-client.ts';

export const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const establishedMsMax = 30_000;
const askEstablishedEveryMs = 2;

/**
 * The server itself, without a port, in memory, and without what only a running cluster has: namespaces need not be
 * there, and nothing is collected. Whatever it says of an object, `ilk serve` says too.
 */
export class OfflineServer extends ApiClient implements AsyncDisposable {
  readonly #server: IlkServer;

  private constructor(server: IlkServer) {
    super(server.fetch);
    this.#server = server;
  }

  static async start(featureGates: FeatureGates | undefined): Promise<OfflineServer> {
    const server = await startServer({
      listen: false,
      disableAdmissionPlugins: ['NamespaceLifecycle'],
      disableControllers: ['garbage-collector', 'namespace'],
      ...(featureGates === undefined ? {} : { featureGates }),
    });
    return new OfflineServer(server);
  }

  /** Waits until a CRD is served. Gives the reason where it will not be. */
  async established(name: string): Promise<string | undefined> {
    const path = `${crdPath}/${encodeURIComponent(name)}`;
    for (let waitedMs = 0; waitedMs < establishedMsMax; waitedMs += askEstablishedEveryMs) {
      const { object = {} } = await this.call('GET', path);
      if (condition(object, 'Established')?.status === 'True') return undefined;
      const names = condition(object, 'NamesAccepted');
      if (names?.status === 'False') return names.message;
      await sleep(askEstablishedEveryMs);
    }
    return `the CustomResourceDefinition was not established within ${establishedMsMax / 1000} s`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.close();
  }
}

function condition(crd: KubeObject, type: string): { status: string; message: string } | undefined {
  const conditions = ownList(ownObject(crd, 'status') ?? {}, 'conditions') ?? [];
  const found = conditions.filter(isObject).find((one) => own(one, 'type') === type);
  return found && { status: ownString(found, 'status') ?? '', message: ownString(found, 'message') ?? '' };
}

import {
  ApiException,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';

export interface Garden extends KubernetesObject {
  spec: { rows: number };
  status?: { planted: number };
}

const collection = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'gardens' };
const path = '/apis/example.com/v1/namespaces/default/gardens';
const finalizer = 'example.com/harvest';
const retryMs = 20;

/** Plants the rows that gardens ask for, and harvests them before a garden goes. */
export class GardenController {
  readonly #api: CustomObjectsApi;
  readonly #informer: ReturnType<typeof makeInformer<Garden>>;
  readonly #harvest: (name: string) => void;
  #stopped = false;

  constructor(config: KubeConfig, harvest: (name: string) => void) {
    this.#api = config.makeApiClient(CustomObjectsApi);
    this.#harvest = harvest;
    const list = (): Promise<KubernetesListObject<Garden>> =>
      this.#api.listNamespacedCustomObject(collection);
    this.#informer = makeInformer<Garden>(config, path, list);
    this.#informer.on('add', (garden) => void this.#work(garden));
    this.#informer.on('update', (garden) => void this.#work(garden));
    // The watch broke, or its past is forgotten: list again.
    this.#informer.on('error', () => this.#later(() => this.start()));
  }

  async start(): Promise<void> {
    try {
      await this.#informer.start();
    } catch {
      this.#later(() => this.start());
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#informer.stop();
  }

  /** What fails is tried again with the latest state, for as long as the garden is there. */
  async #work(garden: Garden): Promise<void> {
    try {
      await this.#reconcile(garden);
    } catch (error) {
      if (error instanceof ApiException && error.code === 404) return;
      this.#later(async () => this.#work(await this.#read(garden)));
    }
  }

  async #reconcile(garden: Garden): Promise<void> {
    const { metadata = {}, spec, status } = garden;
    const finalizers = metadata.finalizers ?? [];
    const isHeld = finalizers.includes(finalizer);
    if (metadata.deletionTimestamp !== undefined) {
      if (isHeld) await this.#harvestAndLetGo(garden);
    } else if (!isHeld) {
      await this.#replace({ ...garden, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } });
    } else if (status?.planted !== spec.rows) {
      const body = { ...garden, status: { planted: spec.rows } };
      await this.#api.replaceNamespacedCustomObjectStatus({ ...collection, name: nameOf(garden), body });
    }
  }

  async #harvestAndLetGo(garden: Garden): Promise<void> {
    const { metadata = {} } = garden;
    const finalizers = metadata.finalizers?.filter((one) => one !== finalizer) ?? [];
    await this.#replace({ ...garden, metadata: { ...metadata, finalizers } });
    this.#harvest(nameOf(garden));
  }

  #replace(body: Garden): Promise<unknown> {
    return this.#api.replaceNamespacedCustomObject({ ...collection, name: nameOf(body), body });
  }

  #read(garden: Garden): Promise<Garden> {
    return this.#api.getNamespacedCustomObject({ ...collection, name: nameOf(garden) });
  }

  #later(run: () => Promise<void>): void {
    setTimeout(() => {
      if (!this.#stopped) run().catch(() => this.#later(run));
    }, retryMs);
  }
}

function nameOf({ metadata }: Garden): string {
  return metadata?.name ?? '';
}

import type { AdmissionWrites } from '../admission/index.ts';
import { invariant, type KubeObject, nameOf, namespaceOf, StatusError } from '../meta/index.ts';
import { type Registry, targetOf, Warnings } from '../registry/index.ts';

/** The user of admission's own requests, whose warnings are discarded. */
const user = { name: 'system:apiserver', groups: ['system:masters'] };

/** The requests of admission to the registry, which is created after admission. */
export class RegistryWrites implements AdmissionWrites {
  #registry: Registry | undefined;
  readonly #abort = new AbortController();

  /** Sets the registry for writes. */
  use(registry: Registry): void {
    this.#registry = registry;
  }

  /** Cancels the writes in progress. */
  close(): void {
    this.#abort.abort();
  }

  async createNamespace(name: string): Promise<void> {
    const registry = this.#registry;
    invariant(registry !== undefined, 'admission writes after the registry is there');
    const served = await registry.find('', 'v1', 'namespaces');
    invariant(served !== undefined, 'namespaces are served');
    const body = { value: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } };
    const options = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore' } as const;
    try {
      await registry.create({ target: targetOf(served, ''), body, options, context: this.#context() });
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    }
  }

  async updateQuotaStatus(quota: KubeObject): Promise<void> {
    const registry = this.#registry;
    invariant(registry !== undefined, 'admission writes after the registry is there');
    const served = await registry.find('', 'v1', 'resourcequotas');
    invariant(served !== undefined, 'quotas are served');
    const options = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore' } as const;
    const target = {
      ...targetOf(served, namespaceOf(quota)),
      name: nameOf(quota),
      endpoint: 'status',
    } as const;
    await registry.update({ target, body: { value: quota }, options, context: this.#context() });
  }

  #context() {
    return { user, fieldManager: 'kube-apiserver', signal: this.#abort.signal, warnings: new Warnings() };
  }
}

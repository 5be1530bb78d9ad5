import { HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';

/** `ilk serve` in a process of its own, which can be killed and started again. */
export class Replica implements AsyncDisposable {
  readonly #args: readonly string[];
  #child: IlkProcess | undefined;
  #client: HttpsClient | undefined;

  /** Flags besides the port. */
  constructor(...args: string[]) {
    this.#args = ['serve', '--secure-port=0', ...args];
  }

  async start(): Promise<void> {
    this.#child = new IlkProcess(this.#args);
    this.#client = new HttpsClient((await this.#child.ready()).kubeconfig);
  }

  get client(): HttpsClient {
    if (this.#client === undefined) throw new Error('not started');
    return this.#client;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child?.kill(signal);
    await this.#child?.ended();
    this.#client?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}

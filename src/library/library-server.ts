import type { IlkServer as ComposedServer, ServerSnapshot as ComposedSnapshot } from '../server.ts';
import type { Faults } from '../faults/index.ts';
import { checkForkOptions } from './check-options/check-options.ts';
import { composedOptions, type Inherited, type ReadOptions } from './composed-options.ts';
import type { IlkServer, ServerSnapshot } from './ilk-server.ts';
import { withFile } from './read-manifests.ts';
import { withDocumentFile } from './read-openapi-documents.ts';
import type { ForkOptions } from './server-options.ts';

/** Waits for a server; if it fails to start, the error names the file that caused it. */
export async function started(
  starting: Promise<ComposedServer>,
  read: ReadOptions,
  inherited: Inherited,
): Promise<IlkServer> {
  try {
    return new LibraryServer(await starting, read.faults, inherited);
  } catch (error) {
    await inherited.conversions?.release();
    throw withDocumentFile(withFile(error, read.given), read.documents);
  }
}

/** A server with faults. Closing removes the faults first, which releases the requests that they hold. */
class LibraryServer implements IlkServer {
  readonly faults: Faults;
  readonly #server: ComposedServer;
  readonly #inherited: Inherited;
  #closing: Promise<void> | undefined;

  constructor(server: ComposedServer, faults: Faults, inherited: Inherited) {
    this.#server = server;
    this.faults = faults;
    this.#inherited = inherited;
  }

  get url(): string {
    return this.#server.url;
  }

  get kubeconfig(): string {
    return this.#server.kubeconfig;
  }

  get kubeconfigPath(): string {
    return this.#server.kubeconfigPath;
  }

  get caPem(): string | undefined {
    return this.#server.caPem;
  }

  get fetch(): IlkServer['fetch'] {
    return this.#server.fetch;
  }

  consoleLink(): string | undefined {
    return this.#server.consoleLink();
  }

  as(...user: Parameters<IlkServer['as']>): ReturnType<IlkServer['as']> {
    return this.#server.as(...user);
  }

  addUser(...user: Parameters<IlkServer['addUser']>): ReturnType<IlkServer['addUser']> {
    return this.#server.addUser(...user);
  }

  async snapshot(): Promise<ServerSnapshot> {
    const snapshot = await this.#server.snapshot();
    return { fork: (options = {}) => this.#forkOf(snapshot, options) };
  }

  async fork(options: ForkOptions = {}): Promise<IlkServer> {
    checkForkOptions(options);
    return this.#forkOf(await this.#server.snapshot(), options);
  }

  async #forkOf(snapshot: ComposedSnapshot, options: ForkOptions): Promise<IlkServer> {
    checkForkOptions(options);
    const read = await composedOptions(options, this.#inherited);
    const { openapi: _, ...composed } = read.composed;
    return started(snapshot.fork(composed), read, this.#inherited);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.faults.clear();
    await this.#server.close();
    await this.#inherited.conversions?.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

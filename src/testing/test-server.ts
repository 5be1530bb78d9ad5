import { Faults } from '../faults/index.ts';
import type { RequestFilter } from '../http/index.ts';
import { ownString } from '../meta/index.ts';
import {
  type ForkOptions,
  type IlkServer,
  type ServerOptions,
  type ServerSnapshot,
  startServer as startIlk,
} from '../server.ts';
import type { LoadedDocument } from '../manifests/index.ts';
import { FakeClock } from './fake-clock.ts';
import { type Manifest, type ReadObject, readManifests, withFile } from './read-manifests.ts';
import { readOpenApiDocuments, withDocumentFile } from './read-openapi-documents.ts';

/** What a test wants to find. */
export interface Given {
  /** CustomResourceDefinitions that are established before the server is there; other kinds in the files are left out. */
  readonly crds?: readonly Manifest[];
  /** Objects with the status that they have, after the CRDs. */
  readonly objects?: readonly Manifest[];
}

/** As {@link ServerOptions}, with objects and OpenAPI documents from files. A {@link FakeClock} as `clock` is asked for the timers too. */
export type TestServerOptions = Omit<ServerOptions, keyof Given | 'openapi'> &
  Given & {
    /** What `kubectl get --raw /openapi/v2` prints: files, or documents. The other kinds in it are served, too. */
    readonly openapi?: readonly Manifest[];
  };

export type TestForkOptions = Omit<ForkOptions, keyof Given> & Given;

/** A server in a test's own process. */
export interface TestServer extends IlkServer {
  /** Things that go wrong on demand with what comes over the wire, or through `fetch`. */
  readonly faults: Faults;
  /** As {@link IlkServer.fork}; a fork begins without faults. */
  fork(options?: TestForkOptions): Promise<TestServer>;
  snapshot(): Promise<TestSnapshot>;
}

export interface TestSnapshot extends ServerSnapshot {
  fork(options?: TestForkOptions): Promise<TestServer>;
}

/**
 * Starts a server for tests: in memory, plain HTTP on a free port, everything established before it is there. What goes
 * wrong inside is written to the console, unless `onTrouble` is given.
 *
 * ```ts
 * await using server = await startServer({ crds: ['config/crd'], objects: ['test/fixtures'] });
 * ```
 *
 * @throws {LoadError} for a file that is no manifest, or holds an object that is refused
 * @throws {StatusError} for another object that is refused
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const filters = options.filters ?? [];
  const { given, documents, faults, parts } = await read({ onTrouble: tellConsole, ...options }, filters);
  return started(startIlk(parts), { faults, given, documents, filters });
}

function tellConsole(error: unknown): void {
  console.error('ilk:', error);
}

interface Read {
  readonly given: readonly ReadObject[];
  readonly documents: readonly LoadedDocument[];
  readonly faults: Faults;
  readonly parts: ServerOptions;
}

/** Options as the server takes them. */
async function read(options: TestServerOptions, filters: readonly RequestFilter[]): Promise<Read> {
  const crds = (await readManifests(options.crds ?? [])).filter(isCrd);
  const objects = await readManifests(options.objects ?? []);
  const documents = await readOpenApiDocuments(options.openapi ?? []);
  const faults = new Faults();
  const { clock } = options;
  const parts = {
    ...options,
    crds: crds.map(({ object }) => object),
    objects: objects.map(({ object }) => object),
    openapi: documents.map(({ document }) => document),
    filters: [...filters, faults.filter],
    ...(clock instanceof FakeClock && options.timers === undefined && { timers: clock }),
  };
  return { given: [...crds, ...objects], documents, faults, parts };
}

function isCrd({ object }: ReadObject): boolean {
  return ownString(object, 'kind') === 'CustomResourceDefinition';
}

/** What a server is made of besides the one underneath. */
interface Around {
  readonly faults: Faults;
  readonly given: readonly ReadObject[];
  readonly documents: readonly LoadedDocument[];
  /** The caller's own, which forks have too. */
  readonly filters: readonly RequestFilter[];
}

async function started(starting: Promise<IlkServer>, around: Around): Promise<TestServer> {
  try {
    return new FaultyServer(await starting, around);
  } catch (error) {
    throw withDocumentFile(withFile(error, around.given), around.documents);
  }
}

/** The server underneath, with faults, which go before it does: what they hold up is let go. */
class FaultyServer implements TestServer {
  readonly faults: Faults;
  readonly #server: IlkServer;
  readonly #filters: readonly RequestFilter[];

  constructor(server: IlkServer, { faults, filters }: Around) {
    this.#server = server;
    this.faults = faults;
    this.#filters = filters;
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

  as(...user: Parameters<IlkServer['as']>): ReturnType<IlkServer['as']> {
    return this.#server.as(...user);
  }

  async snapshot(): Promise<TestSnapshot> {
    const snapshot = await this.#server.snapshot();
    return { fork: (options = {}) => this.#forkOf(snapshot, options) };
  }

  async fork(options: TestForkOptions = {}): Promise<TestServer> {
    return this.#forkOf(await this.#server.snapshot(), options);
  }

  async #forkOf(snapshot: ServerSnapshot, options: TestForkOptions): Promise<TestServer> {
    const filters = options.filters ?? this.#filters;
    const made = await read(options, filters);
    const { openapi: _, ...parts } = made.parts;
    return started(snapshot.fork(parts), { ...made, filters });
  }

  close(): Promise<void> {
    this.faults.clear();
    return this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

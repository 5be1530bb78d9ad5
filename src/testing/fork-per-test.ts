import { type IlkServer, type ServerOptions, startServer } from '../library/index.ts';

type Hook = (run: () => Promise<void>) => unknown;

/** The hooks of a test runner: `node:test` has `before` and `after`, Jest and Vitest `beforeAll` and `afterAll`. */
export type TestHooks = { readonly beforeEach: Hook; readonly afterEach: Hook } & (
  | { readonly beforeAll: Hook; readonly afterAll: Hook }
  | { readonly before: Hook; readonly after: Hook }
);

/** The server of the current test. */
export interface CurrentServer {
  /** @throws {Error} outside of a test */
  readonly server: IlkServer;
}

/**
 * One server for the tests of a file, or of the `describe` in which it is called, and a fork of it for each test. For
 * sequential tests; concurrent tests fork by themselves.
 *
 * ```ts
 * import * as hooks from 'node:test'; // or from '@jest/globals', or from 'vitest'
 * const ilk = forkPerTest(hooks, { crds: ['config/crd'] });
 * test('a garden is watered', async () => { await ilk.server.fetch(...); });
 * ```
 */
export function forkPerTest(hooks: TestHooks, options: ServerOptions = {}): CurrentServer {
  let base: IlkServer | undefined;
  let current: IlkServer | undefined;
  const beforeAll = 'beforeAll' in hooks ? hooks.beforeAll : hooks.before;
  const afterAll = 'afterAll' in hooks ? hooks.afterAll : hooks.after;
  beforeAll(async () => {
    base = await startServer(options);
  });
  hooks.beforeEach(async () => {
    current = await base?.fork();
  });
  hooks.afterEach(async () => {
    const ended = current;
    current = undefined;
    await ended?.close();
  });
  afterAll(async () => {
    await base?.close();
    base = undefined;
  });
  return {
    get server() {
      if (current === undefined) throw new Error('there is a server only while a test runs');
      return current;
    },
  };
}

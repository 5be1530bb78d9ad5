import { type IlkServer, type ServerOptions, startServer } from '../library/index.ts';

type Use<T> = (value: T) => Promise<void>;

/** The argument of `test.extend`. */
export interface VitestFixtures {
  readonly baseServer: [
    fixture: (context: object, use: Use<IlkServer>) => Promise<void>,
    options: { readonly scope: 'worker' },
  ];
  readonly server: (context: { readonly baseServer: IlkServer }, use: Use<IlkServer>) => Promise<void>;
}

/** The fixtures of a test. */
export interface ServerFixtures {
  /** One server per worker, shared by its tests. */
  readonly baseServer: IlkServer;
  /** A fork per test. */
  readonly server: IlkServer;
}

/**
 * Fixtures for Vitest: a server for each worker and a fork of it for each test, also for tests that run concurrently.
 *
 * ```ts
 * import { test as base } from 'vitest';
 * const test = base.extend<ServerFixtures>(vitestFixtures({ crds: ['config/crd'] }));
 * test('a garden is watered', async ({ server }) => { ... });
 * ```
 *
 * Vitest reads from the source of a fixture which others it needs: their first parameters must stay destructuring
 * patterns.
 */
export function vitestFixtures(options: ServerOptions = {}): VitestFixtures {
  return {
    baseServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
      async ({}, use) => {
        const server = await startServer(options);
        await use(server).finally(() => server.close());
      },
      { scope: 'worker' },
    ],
    server: async ({ baseServer }, use) => {
      const fork = await baseServer.fork();
      await use(fork).finally(() => fork.close());
    },
  };
}

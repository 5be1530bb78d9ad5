import { describe, test } from 'vitest';
import type { Store } from './store.ts';
import { commitTests } from './suite/commits.ts';
import { compactionTests } from './suite/compaction.ts';
import type { SuiteContext } from './suite/context.ts';
import { listTests } from './suite/lists.ts';
import { modelTests } from './suite/model.ts';
import { watchModelTests } from './suite/watch-model.ts';
import { watchTests } from './suite/watches.ts';

/** Tests that a driver cannot pass, and why. */
interface SkippedTests {
  readonly reason: string;
  /** Their names as the suite states them. */
  readonly tests: readonly string[];
}

interface StoreSuiteOptions {
  /** The driver's name. */
  readonly name: string;
  /** Opens a store without keys. Its revision may be any. The suite closes it. */
  readonly open: () => Promise<Store>;
  readonly skip?: readonly SkippedTests[];
  /** False for a database that carries out concurrent commits in an order of its own; true by default. */
  readonly ordersCommits?: boolean;
}

const parts = [commitTests, listTests, compactionTests, watchTests, modelTests, watchModelTests];

/** What every driver of {@link Store} must do. Called from a driver's own test file. */
export function storeSuite({ name, open, skip = [], ordersCommits = true }: StoreSuiteOptions): void {
  const context: SuiteContext = {
    ordersCommits,
    test(title, body) {
      const skipped = skip.find(({ tests }) => tests.includes(title));
      if (skipped !== undefined) {
        test.skip(`${title} (${skipped.reason})`);
        return;
      }
      test(title, async () => {
        const store = await open();
        try {
          await body(store);
        } finally {
          await store.close();
        }
      });
    },
  };
  describe(`the ${name} store`, () => {
    for (const part of parts) part(context);
  });
}

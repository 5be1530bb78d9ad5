import { afterAll, describe, expect, test } from 'vitest';
import { SuiteBench } from './openshift-bench.test-support.ts';
import { crdOf, exceptions, files, folder, suiteOf } from './openshift-corpus.test-support.ts';

describe.skipIf(folder === undefined)('openshift/api (skipped where the corpus is absent)', () => {
  test('has suites', () => expect(files.length).toBe(43));

  describe.each(files)('%s', (file) => {
    const suite = suiteOf(file);
    const crd = crdOf(file);
    let bench: Promise<SuiteBench> | undefined;
    const open = () => (bench ??= SuiteBench.start(crd));
    afterAll(async () => (await bench)?.server.close());

    const { onCreate = [], onUpdate = [] } = suite.tests;
    for (const one of onCreate)
      test.skipIf(exceptions[one.name] !== undefined)(`create: ${one.name}`, async () =>
        (await open()).run(one, 'create'),
      );
    for (const one of onUpdate)
      test.skipIf(exceptions[one.name] !== undefined)(`update: ${one.name}`, async () =>
        (await open()).run(one, 'update'),
      );
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../../src/server.ts';
import { inProcess } from '../../differential/servers.ts';
import { type Decision, PolicyJudge, policyGroups } from './decide.ts';

/** A folder with policies of real projects, which is not part of the repository. */
const corpus = process.env['ILK_POLICY_CORPUS'];
const recording = join(import.meta.dirname, 'kube-decisions.test-data.jsonl');
const recorded = readFileSync(recording, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Decision);

/** In the folder of a corpus, policies decide as in kube-apiserver. */
describe.skipIf(corpus === undefined)(
  'policies of real projects (skipped without $ILK_POLICY_CORPUS)',
  () => {
    let server: IlkServer;
    const decisions = new Map<string, Decision>();
    beforeAll(async () => {
      server = await startServer({ listen: false });
      const judge = new PolicyJudge(inProcess(server), async () => {});
      for await (const decision of judge.decisions(await policyGroups(corpus ?? '')))
        decisions.set(decision.policy, decision);
    }, 120_000);
    afterAll(() => server.close());

    test.each(recorded.map((decision) => [decision.policy, decision] as const))('%s', (policy, decision) => {
      expect(decisions.get(policy)).toEqual(decision);
    });
  },
);

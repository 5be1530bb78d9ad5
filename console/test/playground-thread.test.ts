import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import type { IlkServer } from '../../src/testing/index.ts';

/** The built package: only that has the thread. */
const built = fileURLToPath(new URL('../../dist/lib/testing.js', import.meta.url));
let server: IlkServer;

beforeAll(async () => {
  const { startServer } = (await import(built)) as typeof import('../../src/testing/index.ts');
  server = await startServer({ listen: false, console: true });
});
afterAll(() => server?.close());

interface Answer {
  readonly outcome?: string;
  readonly code?: number;
  readonly message?: string;
}

async function run(body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await (await server.fetch('/ilk/v1/playground', init)).json()) as Answer;
}

const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const twenty = `[${Array.from({ length: 20 }, (_, index) => index).join(',')}]`;
const loop = `dyn(${twenty}).all(a, ${twenty}.all(b, ${twenty}.all(c, ${twenty}.all(d, a + b + c + d < 100))))`;
const expressions = `  - {expression: "${loop}"}\n`.repeat(10);

/** A policy that uses up its budget. */
const policy = (name: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations:
${expressions}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [Warn]}
`;

test('a case that takes too long is stopped without blocking others, and the next one runs', async () => {
  expect(await run({ object })).toMatchObject({ outcome: 'accepted' });
  const policies = Array.from({ length: 120 }, (_, index) => policy(`p${index}`)).join('---\n');
  let isOver = false;
  const long = run({ policies, object }).finally(() => (isOver = true));
  let longestMs = 0;
  let asked = 0;
  while (!isOver) {
    const startMs = performance.now();
    await server.fetch('/api/v1/namespaces/default');
    longestMs = Math.max(longestMs, performance.now() - startMs);
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await long).toMatchObject({ code: 504, message: 'Timeout: the case takes longer than 10 s' });
  expect(asked).toBeGreaterThan(20);
  console.log(`${asked} requests meanwhile, the slowest in ${Math.round(longestMs)} ms`);
  expect(await run({ object })).toMatchObject({ outcome: 'accepted' });
});

test('two cases are taken at a time', async () => {
  const answers = await Promise.all([run({ object }), run({ object }), run({ object })]);
  expect(answers.map(({ outcome, code }) => outcome ?? code).toSorted()).toEqual([
    429,
    'accepted',
    'accepted',
  ]);
});

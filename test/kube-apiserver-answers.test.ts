import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { Api } from './controllers/api.ts';

/**
 * Objects of built-in kinds with a mistake that people make, and how a kube-apiserver refused each of them:
 * a row for each, recorded by `tools/record/kube-answers`.
 */
interface Row {
  readonly mistake: string;
  readonly to: string;
  readonly object: unknown;
  readonly code: number;
  /** Of a 422, in their order. */
  readonly causes?: readonly string[];
  /** Of any other refusal. */
  readonly message?: string;
}

const data = readFileSync(new URL('kube-apiserver-answers.test-data.jsonl', import.meta.url), 'utf8');
const rows: readonly Row[] = data
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: false, disableControllers: ['garbage-collector'] });
  api = Api.of(server);
});
afterAll(() => server.close());

interface Cause {
  readonly field: string;
  readonly message: string;
}

test.each(rows)('$mistake', async ({ to, object, code, causes, message }) => {
  const answer = await api.call('POST', `${to}?dryRun=All`, object);
  const found: readonly Cause[] = answer.body.details?.causes ?? [];
  expect(answer.code).toBe(code);
  if (message !== undefined) expect(answer.body.message).toBe(message);
  else expect(found.map((cause) => `${cause.field}: ${cause.message}`)).toEqual(causes ?? []);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  defaultFeatureGates,
  fieldErrorText,
  type JsonObject,
  type KubeObject,
  minCompatibilityVersion,
} from '../../meta/index.ts';
import { compileRules, RuleEnvironments, SchemaNode } from '../index.ts';

/** Random schemas, objects and old objects, with the sorted results of kube-apiserver's rule validator. */
interface GoRun {
  readonly schema: JsonObject;
  readonly value: KubeObject;
  readonly old?: KubeObject;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const lines = readFileSync(new URL('./go-runs.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const runs: readonly GoRun[] = lines.map((line) => JSON.parse(line));
const gates = defaultFeatureGates();
const compile = compileRules(new RuleEnvironments(minCompatibilityVersion));

test.each(runs.map((run, index) => [index, run] as const))('recorded from Go, case %i', (_, run) => {
  const { schema, value, old, errors, warnings } = run;
  const request = old === undefined ? { object: value } : { object: value, old };
  const report = compile(new SchemaNode(schema, gates))?.validate(request);
  expect({
    errors: (report?.errors ?? []).map(fieldErrorText).sort(),
    warnings: [...(report?.warnings ?? [])].sort(),
  }).toEqual({ errors, warnings });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdmissionAttributes } from '../src/admission/index.ts';
import { WriteValues } from '../src/admission/expressions/evaluator.ts';
import { ValidatingPolicy } from '../src/admission/policy/validating-policy.ts';
import { type KubeObject, minCompatibilityVersion } from '../src/meta/index.ts';
import { RuleEnvironments } from '../src/schema/index.ts';

/** A whole policy of the benchmark `admission`, evaluated here and by apiserver's own evaluator (`cel-go/policy.go`). */
const spec = {
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  variables: [{ name: 'max', expression: 'int(params.data.max)' }],
  validations: [
    { expression: 'object.spec.replicas <= variables.max + 1' },
    { expression: 'object.spec.color == params.data.color || size(object.spec.tags) > 0' },
  ],
};
const object = {
  apiVersion: 'bench.example.com/v1',
  kind: 'Plan',
  metadata: { name: 'p', namespace: 'default' },
  spec: { replicas: 3, color: 'blue', tags: ['a', 'b'] },
};
const params = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'limits', namespace: 'default' },
  data: { max: '50', color: 'red' },
};
const namespace = { metadata: { name: 'default' } };

const conversions = {
  equivalents: () => [],
  convert: async (value: KubeObject) => value,
  mergeType: () => {
    throw new Error('not asked for');
  },
  complete: () => {},
};

/** Evaluates the policy as often as asked. */
function evaluator(): (times: number) => void {
  const environments = new RuleEnvironments(minCompatibilityVersion);
  const policy = new ValidatingPolicy({ metadata: { name: 'p' }, spec }, environments);
  const resource = { group: 'bench.example.com', version: 'v1', resource: 'plans' };
  const kind = { group: 'bench.example.com', version: 'v1', kind: 'Plan' };
  const attributes = new AdmissionAttributes({
    ...{ operation: 'CREATE', resource, subresource: '', kind, namespace: 'default', name: 'p', object },
    ...{ oldObject: undefined, options: () => ({}), dryRun: false, minRevision: undefined, conversions },
    ...{ user: { name: 'alice', groups: [] }, signal: () => new AbortController().signal },
    ...{ warn: () => {}, annotate: () => {} },
  });
  const authorizer = { authorize: () => ({ verdict: 'deny' as const, reason: '' }) };
  const request = new WriteValues(attributes, authorizer).as({ resource, kind });
  const input = { request, object, oldObject: undefined, namespaceObject: namespace, params };
  return (times) => {
    for (let time = 0; time < times; time += 1) {
      const verdict = policy.evaluate(input);
      if (verdict instanceof Promise || verdict.passed !== 2) throw new Error('the policy does not pass');
    }
  };
}

function cpuNanos(times: number, evaluate: (times: number) => void): number {
  const before = process.cpuUsage();
  evaluate(times);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / times;
}

/** The median of rounds that run for a tenth of a second each, after a warm-up, as the Go program has it. */
function ours(): number {
  const evaluate = evaluator();
  let times = 1_000;
  while (cpuNanos(times, evaluate) * times < 100e6) times *= 2;
  const rounds = Array.from({ length: 7 }, () => cpuNanos(times, evaluate));
  return rounds.toSorted((a, b) => a - b)[3] ?? Number.NaN;
}

function upstreams(binary: string): number {
  const input = JSON.stringify({ spec, object, params, namespace });
  const { status, stdout, stderr } = spawnSync(binary, ['policy'], { input, encoding: 'utf8' });
  const { value, nanos } = status === 0 ? JSON.parse(stdout) : { value: false, nanos: 0 };
  if (value !== true) throw new Error(`cel-go failed: ${stderr}`);
  return nanos;
}

export function run(print: (line: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-policy-'));
  try {
    const binary = join(folder, 'cel-go');
    const cwd = join(process.cwd(), 'bench', 'cel-go');
    const { error, status, stderr } = spawnSync('go', ['build', '-o', binary, '.'], {
      cwd,
      encoding: 'utf8',
    });
    if (error !== undefined || status !== 0) return print(`policy: skipped: ${error?.message ?? stderr}`);
    for (let round = 0; round < 3; round += 1) {
      const [theirs, own] = [upstreams(binary), ours()];
      const times = (theirs / own).toFixed(0);
      print(`a whole policy: apiserver ${theirs.toFixed(0)} ns, ours ${own.toFixed(0)} ns: ${times} x`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { expect, test } from 'vitest';
import type { AdmissionRecord } from '../admission/index.ts';
import { AdmissionMetrics } from './admission-metrics.ts';

/** The samples after these records, without the buckets and sums of histograms. */
async function samples(...records: AdmissionRecord[]): Promise<string[]> {
  const metrics = new AdmissionMetrics();
  for (const record of records) metrics.observe(record);
  const lines = (await metrics.metrics()).split('\n');
  return lines.filter((line) => /^[a-z]/.test(line) && !/_(bucket|sum)\{/.test(line));
}

const plugin = {
  what: 'plugin',
  name: 'P',
  phase: 'admit',
  operation: 'CREATE',
  rejected: false,
  seconds: 0,
} as const;
const webhook = {
  what: 'webhook',
  name: 'w',
  phase: 'validate',
  operation: 'CREATE',
  outcome: 'allowed',
  code: 200,
  message: '',
  seconds: 0,
} as const;

test('without records there is nothing to read', async () => {
  expect(await new AdmissionMetrics().metrics()).toBe('');
});

test('plugins and steps', async () => {
  expect(
    await samples(plugin, plugin, { ...plugin, rejected: true }, { ...plugin, what: 'step', name: '' }),
  ).toEqual([
    'apiserver_admission_step_admission_duration_seconds_summary_count{type="admit",operation="CREATE",rejected="false"} 1',
    'apiserver_admission_step_admission_duration_seconds_count{type="admit",operation="CREATE",rejected="false"} 1',
    'apiserver_admission_controller_admission_duration_seconds_count{name="P",type="admit",operation="CREATE",rejected="false"} 2',
    'apiserver_admission_controller_admission_duration_seconds_count{name="P",type="admit",operation="CREATE",rejected="true"} 1',
  ]);
});

test.each<[Partial<typeof webhook> | object, string[]]>([
  [{}, ['request_total code="200",rejected="false"']],
  [
    { outcome: 'denied', code: 403 },
    [
      'request_total code="403",rejected="true"',
      'rejection_count error_type="no_error",rejection_code="403"',
    ],
  ],
  [
    { outcome: 'failed', code: 503 },
    [
      'request_total code="503",rejected="true"',
      'rejection_count error_type="calling_webhook_error",rejection_code="503"',
    ],
  ],
  [{ outcome: 'failed open', code: 503 }, ['request_total code="503",rejected="false"', 'fail_open_count ']],
  [{ code: 999 }, ['request_total code="600",rejected="false"']],
])('a webhook that is %j', async (more, expected) => {
  const found = await samples({ ...webhook, ...more } as AdmissionRecord);
  const counters = found.flatMap((line) => {
    const [, name, labels = ''] = /^apiserver_admission_webhook_(\w+)\{(.*)\} 1$/.exec(line) ?? [];
    const shown = labels.replace(/name="w",type="validating",?/, '').replace(/operation="CREATE",?/, '');
    return name === undefined || name.startsWith('admission') ? [] : [`${name} ${shown}`];
  });
  expect(counters).toEqual(expected);
});

test.each<[object, string[]]>([
  [{}, ['evaluation_seconds_count kind="webhook",type="admit"']],
  [{ phase: 'validate' }, ['evaluation_seconds_count kind="webhook",type="validating"']],
  [{ of: 'policy' }, ['evaluation_seconds_count kind="policy",type="validate"']],
  [
    { phase: 'validate', errors: 1, isExcluded: true },
    [
      'evaluation_errors_total kind="webhook",type="validating"',
      'exclusions_total kind="webhook",type="validate"',
      'evaluation_seconds_count kind="webhook",type="validating"',
    ],
  ],
])('match conditions that are %j', async (more, expected) => {
  const record = {
    ...{ what: 'match conditions', of: 'webhook', name: 'w', phase: 'admit', operation: 'CREATE' },
    ...{ outcome: 'met', errors: 0, isExcluded: false, message: '', seconds: 0 },
    ...more,
  } as AdmissionRecord;
  const prefix = /^apiserver_admission_match_condition_(\w+)\{name="w",(.*),operation="CREATE"\} 1$/;
  const found = (await samples(record)).map((line) => prefix.exec(line)?.slice(1).join(' '));
  expect(found).toEqual(expected);
});

test('policies, with an action where they validate', async () => {
  const policy = {
    what: 'policy',
    name: 'p',
    binding: 'b',
    action: 'deny',
    errorType: 'no_error',
    message: '',
    seconds: 0,
    times: 1,
    of: {},
  } as const;
  const found = await samples({ ...policy, kind: 'validating' }, { ...policy, kind: 'mutating' });
  expect(found.filter((line) => line.includes('_check_total'))).toEqual([
    'apiserver_validating_admission_policy_check_total{policy="p",policy_binding="b",error_type="no_error",enforcement_action="deny"} 1',
    'apiserver_mutating_admission_policy_check_total{policy="p",policy_binding="b",error_type="no_error"} 1',
  ]);
});

test('a thousand names have series of their own, the others share one', async () => {
  const records = Array.from({ length: 1_002 }, (_, index) => ({ ...webhook, name: `w${index}` }));
  const found = (await samples(...records)).filter((line) => line.includes('request_total'));
  expect(found).toHaveLength(1_001);
  expect(found.at(-1)).toMatch(/name="\(others\)".* 2$/);
});

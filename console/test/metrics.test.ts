import { describe, expect, test } from 'vitest';
import { admissionPrefixes, admissionTimes } from '../src/server/admission-times.ts';
import { samplesIn } from '../src/server/metrics-text.ts';
import { countsByVerb, ratesBetween } from '../src/server/request-rates.ts';

describe('samples', () => {
  test('have names, labels and values; other lines are left out', () => {
    const text =
      '# HELP a_b words\n# TYPE a_b counter\na_b{x="1",y="a\\"b\\\\c\\n}"} 2.5\na_b 3 1700000000\nz 1\na_b{ nonsense\n';
    expect(samplesIn(text, ['a_'])).toEqual([
      {
        name: 'a_b',
        labels: new Map([
          ['x', '1'],
          ['y', 'a"b\\c\n}'],
        ]),
        value: 2.5,
      },
      { name: 'a_b', labels: new Map(), value: 3 },
    ]);
    expect(samplesIn('a{__proto__="x"} +Inf', ['a'])).toEqual([
      { name: 'a', labels: new Map([['__proto__', 'x']]), value: Number.POSITIVE_INFINITY },
    ]);
  });
});

/** Requests of a verb, each of which took as many seconds as the bound says. */
function document(
  counts: readonly (readonly [verb: string, resource: string, count: number, seconds: number])[],
): string {
  return counts
    .flatMap(([verb, resource, count, seconds]) => {
      const labels = `verb="${verb}",resource="${resource}"`;
      const buckets = [0.1, 1].map(
        (bound) =>
          `apiserver_request_duration_seconds_bucket{${labels},le="${bound}"} ${seconds <= bound ? count : 0}`,
      );
      return [
        `apiserver_request_total{${labels},code="200"} ${count - 1}`,
        `apiserver_request_total{${labels},code="503"} 1`,
        `apiserver_request_duration_seconds_sum{${labels}} ${count * seconds}`,
        `apiserver_request_duration_seconds_count{${labels}} ${count}`,
        ...buckets,
        `apiserver_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
      ];
    })
    .join('\n');
}

const countsOf = (text: string) => countsByVerb(samplesIn(text, ['apiserver_request_']));

describe('rates', () => {
  const first = countsOf(
    document([
      ['GET', 'pods', 10, 0.05],
      ['GET', 'widgets', 10, 0.05],
    ]),
  );

  test('are those between two looks, of all resources together', () => {
    const second = countsOf(
      document([
        ['GET', 'pods', 20, 0.05],
        ['GET', 'widgets', 10, 0.05],
        ['POST', 'pods', 5, 2],
      ]),
    );
    expect(ratesBetween(first, second, 5)).toEqual([
      { verb: 'GET', perSecond: 2, total: 30, errors: 2, meanMs: expect.closeTo(50), slowestMs: 100 },
      { verb: 'POST', perSecond: 1, total: 5, errors: 1, meanMs: 2_000, slowestMs: Number.POSITIVE_INFINITY },
    ]);
  });

  test('begin with the second look; a server that was started again counts from zero', () => {
    expect(ratesBetween(undefined, first, 0)[0]).toMatchObject({
      perSecond: 0,
      total: 20,
      meanMs: expect.closeTo(50),
    });
    expect(ratesBetween(first, first, 5)[0]).toMatchObject({
      perSecond: 0,
      meanMs: undefined,
      slowestMs: undefined,
    });
    const again = countsOf(document([['GET', 'pods', 4, 0.05]]));
    expect(ratesBetween(first, again, 2)[0]).toMatchObject({ perSecond: 2, total: 4 });
  });
});

test('webhooks and policies, those that took most time first', () => {
  const text = [
    'apiserver_admission_webhook_admission_duration_seconds_sum{name="a.b",operation="CREATE",type="admit",rejected="false"} 1',
    'apiserver_admission_webhook_admission_duration_seconds_count{name="a.b",operation="CREATE",type="admit",rejected="false"} 4',
    'apiserver_admission_webhook_admission_duration_seconds_sum{name="a.b",operation="UPDATE",type="admit",rejected="true"} 1',
    'apiserver_admission_webhook_admission_duration_seconds_count{name="a.b",operation="UPDATE",type="admit",rejected="true"} 1',
    'apiserver_validating_admission_policy_check_duration_seconds_sum{policy="p",policy_binding="b",enforcement_action="deny"} 3',
    'apiserver_validating_admission_policy_check_duration_seconds_count{policy="p",policy_binding="b",enforcement_action="deny"} 2',
  ].join('\n');
  expect(admissionTimes(samplesIn(text, admissionPrefixes))).toEqual([
    { kind: 'Validating policy', name: 'p', calls: 2, rejected: 2, meanMs: 1_500 },
    { kind: 'Mutating webhook', name: 'a.b', calls: 5, rejected: 1, meanMs: 400 },
  ]);
});

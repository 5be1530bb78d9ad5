import { describe, expect, test } from 'vitest';
import { StatusError } from '../refusal/status.ts';
import { defaultSelectorOptions } from '../selector/selector-options.ts';
import { parseListOptions } from './list-options.ts';

const options = (query: string) => {
  const { labelSelector, fieldSelector, ...rest } = parseListOptions(new URLSearchParams(query));
  return { labels: labelSelector.toString(), fields: fieldSelector.toString(), ...rest };
};

function refusal(query: string) {
  try {
    options(query);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const defaults = {
  labels: '',
  fields: '',
  filter: '',
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  timeoutSeconds: undefined,
  limit: 0,
  continue: '',
  sendInitialEvents: undefined,
};

describe('list options', () => {
  test('all of them are optional', () => expect(options('')).toEqual(defaults));

  test('all of them together', () => {
    expect(
      options(
        'labelSelector=b,a&fieldSelector=x=y&resourceVersion=7&resourceVersionMatch=Exact&timeoutSeconds=30&limit=500',
      ),
    ).toEqual({
      ...defaults,
      labels: 'a,b',
      fields: 'x=y',
      resourceVersion: '7',
      resourceVersionMatch: 'Exact',
      timeoutSeconds: 30,
      limit: 500,
    });
  });

  test('of a repeated parameter the first counts, unknown ones and other spellings do not', () => {
    expect(options('limit=1&limit=x&Limit=3&limits=4')).toEqual({ ...defaults, limit: 1 });
  });

  test.each([
    ['watch=1', true],
    ['watch=true', true],
    ['watch=', true],
    ['watch', true],
    ['watch=no', true],
    ['watch=0', false],
    ['watch=FALSE', false],
    ['watch=00', true],
    ['', false],
  ])('%j: watch is %s', (query, watch) => expect(options(query).watch).toBe(watch));
});

describe('a watch', () => {
  const streaming = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
  const plain = { sendInitialEvents: undefined, resourceVersionMatch: '' };

  test.each([
    ['watch=1', streaming],
    ['watch=1&resourceVersion=', streaming],
    ['watch=1&resourceVersion=0', streaming],
    ['watch=1&resourceVersion=5', plain],
    [
      'watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
      { ...streaming, sendInitialEvents: false },
    ],
    ['resourceVersion=0', plain],
  ])('%j', (query, expected) => expect(options(query)).toMatchObject(expected));
});

describe('list options that are refused', () => {
  const invalid = (text: string) => `422 ListOptions.meta.k8s.io "" is invalid: ${text}`;

  test.each([
    ['limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['timeoutSeconds=1s', '400 strconv.ParseInt: parsing "1s": invalid syntax'],
    ['limit=9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['labelSelector=a%20b&limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'labelSelector=a%20b&fieldSelector=a',
      "400 unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    ],
    ['fieldSelector=a', "400 invalid selector: 'a'; can't understand 'a'"],
    [
      'resourceVersionMatch=Exact',
      invalid(
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      ),
    ],
    [
      'resourceVersion=1&resourceVersionMatch=Exact&continue=x',
      invalid('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'),
    ],
    [
      'resourceVersion=1&resourceVersionMatch=exact',
      invalid(
        'resourceVersionMatch: Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""',
      ),
    ],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      invalid(
        'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ),
    ],
    [
      'sendInitialEvents=false',
      invalid('sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'),
    ],
    [
      'watch=1&sendInitialEvents=1',
      invalid(
        'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    ],
    [
      'watch=1&resourceVersion=5&resourceVersionMatch=NotOlderThan',
      invalid(
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    ],
    [
      'watch=1&sendInitialEvents=1&resourceVersionMatch=Exact&continue=x',
      invalid(
        '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan", resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
      ),
    ],
  ])('%s', (query, message) => expect(refusal(query)).toBe(message));

  test('as a Status', () => {
    try {
      options('sendInitialEvents=1');
      expect.unreachable();
    } catch (error) {
      expect(error instanceof StatusError && error.status).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
        reason: 'Invalid',
        details: {
          group: 'meta.k8s.io',
          kind: 'ListOptions',
          causes: [
            {
              reason: 'FieldValueForbidden',
              message: 'Forbidden: sendInitialEvents is forbidden for list',
              field: 'sendInitialEvents',
            },
          ],
        },
        code: 422,
      });
    }
  });
});

test('a filter is taken where the server has them, and refused elsewhere', () => {
  const query = new URLSearchParams({ filter: "spec.color == 'blue'" });
  expect(parseListOptions(query, defaultSelectorOptions).filter).toBe("spec.color == 'blue'");
  expect(refusal(query.toString())).toBe('400 filter is not supported by this server');
});

describe('how many conditions a selector may have', () => {
  const conditions = (count: number, text: (at: number) => string) =>
    encodeURIComponent(Array.from({ length: count }, (_, at) => text(at)).join(','));
  const selectors: [name: string, text: (at: number) => string][] = [
    ['labelSelector', (at) => `!k${at}`],
    ['labelSelector', (at) => `k!=v${at}`],
    ['fieldSelector', (at) => `spec.a!=v${at}`],
  ];

  test.each(selectors)('%s', (name, text) => {
    expect(refusal(`${name}=${conditions(256, text)}`)).toBe('accepted');
    expect(refusal(`${name}=${conditions(257, text)}`)).toBe(
      `400 ${name} has 257 conditions, at most 256 are allowed`,
    );
    expect(refusal(`${name}=${conditions(40_000, text)}`)).toBe(
      `400 ${name} has 40000 conditions, at most 256 are allowed`,
    );
  });

  test('one set may have many values', () => {
    const values = conditions(10_000, (at) => `v${at}`);
    expect(refusal(`labelSelector=k in (${values})`)).toBe('accepted');
    const query = new URLSearchParams(`fieldSelector=a in (${values})`);
    expect(parseListOptions(query, defaultSelectorOptions).fieldSelector.requirements).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { StatusError } from '../refusal/status.ts';
import type { JsonValue } from '../value/value.ts';
import { deleteOptionsFromBody, parseDeleteOptions, refuseUnsafeDeleteCollection } from './delete-options.ts';

const fromQuery = (query: string) => parseDeleteOptions(new URLSearchParams(query));

function refusal(parse: () => unknown) {
  try {
    parse();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const defaults = {
  gracePeriodSeconds: undefined,
  preconditions: {},
  orphanDependents: undefined,
  propagationPolicy: undefined,
  dryRun: false,
  ignoreStoreReadErrorWithClusterBreakingPotential: false,
};

describe('delete options from the query', () => {
  test.each([
    ['', defaults],
    ['gracePeriodSeconds=0', { ...defaults, gracePeriodSeconds: 0 }],
    ['propagationPolicy=Foreground', { ...defaults, propagationPolicy: 'Foreground' }],
    ['orphanDependents=false', { ...defaults, orphanDependents: false }],
    ['uid=u&resourceVersion=7', { ...defaults, preconditions: { uid: 'u', resourceVersion: '7' } }],
    ['uid=&resourceVersion=', defaults],
    ['dryRun=All', { ...defaults, dryRun: true }],
    [
      'ignoreStoreReadErrorWithClusterBreakingPotential=true',
      { ...defaults, ignoreStoreReadErrorWithClusterBreakingPotential: true },
    ],
  ])('%j', (query, expected) => expect(fromQuery(query)).toEqual(expected));

  const invalid = (text: string) => `422 DeleteOptions.meta.k8s.io "" is invalid: ${text}`;
  const policies = 'supported values: "Foreground", "Background", "Orphan", "nil"';

  test.each([
    ['gracePeriodSeconds=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['propagationPolicy=x', invalid(`propagationPolicy: Unsupported value: "x": ${policies}`)],
    ['propagationPolicy=', invalid(`propagationPolicy: Unsupported value: "": ${policies}`)],
    [
      'propagationPolicy=Orphan&orphanDependents=true',
      invalid(
        'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
      ),
    ],
    [
      'ignoreStoreReadErrorWithClusterBreakingPotential=1&orphanDependents=1&uid=x',
      invalid(
        '[ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .orphanDependents, ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .preconditions]',
      ),
    ],
    ['dryRun=x', invalid('dryRun: Unsupported value: ["x"]: supported values: "All"')],
  ])('%j is refused', (query, message) => expect(refusal(() => fromQuery(query))).toBe(message));
});

test('deletecollection never removes what cannot be read', () => {
  const unsafe = fromQuery('ignoreStoreReadErrorWithClusterBreakingPotential=true');
  expect(refusal(() => refuseUnsafeDeleteCollection(unsafe))).toBe(
    '422 DeleteOptions.meta.k8s.io "" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option',
  );
  expect(refusal(() => refuseUnsafeDeleteCollection(fromQuery('')))).toBe('accepted');
});

describe('delete options from a body', () => {
  test.each<[JsonValue, object]>([
    [{}, defaults],
    [{ kind: 'DeleteOptions', apiVersion: 'v1', unknown: 1 }, defaults],
    [
      {
        gracePeriodSeconds: 30,
        preconditions: { uid: 'u', resourceVersion: '7' },
        propagationPolicy: 'Background',
        dryRun: ['All'],
      },
      {
        gracePeriodSeconds: 30,
        preconditions: { uid: 'u', resourceVersion: '7' },
        orphanDependents: undefined,
        propagationPolicy: 'Background',
        dryRun: true,
        ignoreStoreReadErrorWithClusterBreakingPotential: false,
      },
    ],
    [{ gracePeriodSeconds: null, preconditions: null, dryRun: null, orphanDependents: null }, defaults],
  ])('%j', (body, expected) => expect(deleteOptionsFromBody(body)).toEqual(expected));

  test.each<[JsonValue, string]>([
    [[], 'cannot unmarshal array into Go value of type v1.DeleteOptions'],
    [
      { gracePeriodSeconds: '5' },
      'cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      { gracePeriodSeconds: 1.5 },
      'cannot unmarshal number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      { gracePeriodSeconds: 99999999999999999999n },
      'cannot unmarshal number 99999999999999999999 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      { preconditions: { uid: 1 } },
      'cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID',
    ],
    [
      { preconditions: 1 },
      'cannot unmarshal number into Go struct field DeleteOptions.preconditions of type v1.Preconditions',
    ],
    [{ dryRun: 'All' }, 'cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string'],
    [{ dryRun: [1] }, 'cannot unmarshal number into Go struct field DeleteOptions.dryRun of type string'],
    [
      { orphanDependents: 'x' },
      'cannot unmarshal string into Go struct field DeleteOptions.orphanDependents of type bool',
    ],
    [
      { propagationPolicy: {} },
      'cannot unmarshal object into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation',
    ],
  ])('%# is refused', (body, text) =>
    expect(refusal(() => deleteOptionsFromBody(body))).toBe(`400 json: ${text}`),
  );

  test('another kind is refused', () => {
    expect(refusal(() => deleteOptionsFromBody({ kind: 'Pod' }))).toBe(
      '400 decoded object cannot be converted to DeleteOptions',
    );
    expect(refusal(() => deleteOptionsFromBody({ kind: 1 }))).toBe(
      "400 couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    );
  });
});

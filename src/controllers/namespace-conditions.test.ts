import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../meta/index.ts';
import { type DeletionReport, namespaceConditions } from './namespace-conditions.ts';

const nothing: DeletionReport = { contentErrors: [], remaining: new Map(), finalizers: new Map() };
/** `status reason: message` by type. */
const shown = (conditions: readonly JsonValue[]) =>
  Object.fromEntries(
    (conditions as JsonObject[]).map(({ type, status, reason, message }) => [
      String(type),
      `${String(status)} ${String(reason)}: ${String(message)}`,
    ]),
  );

const fine = {
  NamespaceDeletionDiscoveryFailure: 'False ResourcesDiscovered: All resources successfully discovered',
  NamespaceDeletionGroupVersionParsingFailure:
    'False ParsedGroupVersions: All legacy kube types successfully parsed',
  NamespaceDeletionContentFailure:
    'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
  NamespaceContentRemaining: 'False ContentRemoved: All content successfully removed',
  NamespaceFinalizersRemaining: 'False ContentRemoved: All content successfully removed',
};

test('where nothing is left, all conditions are false', () => {
  const conditions = shown(namespaceConditions([], nothing, 0));
  expect(conditions).toEqual(fine);
  expect(Object.keys(conditions)).toEqual(Object.keys(fine));
});

test('remaining resources are listed in the order of names', () => {
  const report = {
    contentErrors: ['b failed', 'a failed'],
    remaining: new Map([
      ['widgets.example.com', 2],
      ['pods.', 1],
    ]),
    finalizers: new Map([['example.com/keep', 1]]),
  };
  expect(shown(namespaceConditions([], report, 0))).toEqual({
    ...fine,
    NamespaceDeletionContentFailure:
      'True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a failed, b failed',
    NamespaceContentRemaining:
      'True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances, widgets.example.com has 2 resource instances',
    NamespaceFinalizersRemaining:
      'True SomeFinalizerRemain: Some finalizers are remaining: example.com/keep in 1 resource instances',
  });
});

test('the time of transition moves with the status alone, and conditions of others stay', () => {
  const other = { type: 'Other', status: 'True' };
  const first = namespaceConditions([other], nothing, 0);
  const left = { ...nothing, remaining: new Map([['pods.', 1]]) };
  const second = namespaceConditions(first, left, 60_000);
  expect(second[0]).toBe(other);
  const times = (conditions: readonly JsonValue[]) =>
    (conditions as JsonObject[]).map((one) => String(one['lastTransitionTime']).slice(14, 16));
  expect(times(second.slice(1))).toEqual(['00', '00', '00', '01', '00']);
  const fewer = { ...nothing, remaining: new Map([['pods.', 3]]) };
  expect(times(namespaceConditions(second, fewer, 120_000).slice(1))).toEqual(['00', '00', '00', '01', '00']);
});

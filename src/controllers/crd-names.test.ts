import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../meta/index.ts';
import { namesPart, settle } from './crd-names.ts';

const crd = (kind: string, more: JsonObject = {}, status: JsonObject = {}): KubeObject => ({
  metadata: { name: `${kind}s.example.com` },
  spec: {
    group: 'example.com',
    names: { plural: `${kind}s`, singular: kind, kind, listKind: `${kind}List`, ...more },
  },
  status,
});
/** The conditions of a CRD beside others, `type: status reason`; undefined where nothing changes. */
function conditions(one: KubeObject, ...others: KubeObject[]) {
  const settled = settle(one, others.map(namesPart), 0);
  const listed = (settled?.['status'] as JsonObject | undefined)?.['conditions'] as JsonObject[] | undefined;
  return listed?.map(({ type, status, reason }) => `${String(type)}: ${String(status)} ${String(reason)}`);
}

const settledOf = (one: KubeObject) => settle(one, [], 0) ?? one;

describe('a CRD', () => {
  test('that is alone gets its names and is established, once', () => {
    const settled = settledOf(crd('widget'));
    expect(settled['status']).toMatchObject({ acceptedNames: { plural: 'widgets', kind: 'widget' } });
    expect(conditions(crd('widget'))).toEqual([
      'NamesAccepted: True NoConflicts',
      'Established: True InitialNamesAccepted',
    ]);
    expect(settle(settled, [], 1)).toBeUndefined();
  });

  test('whose name another one has waits', () => {
    const other = settledOf(crd('gadget', { shortNames: ['wd'] }));
    expect(conditions(crd('widget', { shortNames: ['wd'] }), other)).toEqual([
      'NamesAccepted: False ShortNamesConflict',
      'Established: False NotAccepted',
    ]);
  });

  test('that is established stays so, whatever it asks for later', () => {
    const { status } = settledOf(crd('widget')) as { status: JsonObject };
    const other = settledOf(crd('gadget', { shortNames: ['wd'] }));
    expect(conditions(crd('widget', { shortNames: ['wd'] }, status), other)).toContain(
      'Established: True InitialNamesAccepted',
    );
  });

  test('whose webhook has an unusable authority is not established', () => {
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { caBundle: 'eA==' } } };
    const one = crd('widget');
    const bad = { ...one, spec: { ...(one['spec'] as JsonObject), conversion } };
    expect(conditions(bad)).toEqual([
      'NamesAccepted: True NoConflicts',
      'Established: False InvalidCABundle',
    ]);
  });

  test('that is deleted is left alone', () => {
    const one = crd('widget');
    expect(settle({ ...one, metadata: { deletionTimestamp: 'x' } }, [], 0)).toBeUndefined();
  });
});

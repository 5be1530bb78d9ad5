import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, parseFeatureGates } from '../../src/meta/index.ts';
import {
  alphaGate,
  cron,
  cronCrd,
  cronsPath,
  crdPath,
  mergePatch,
  startCrons,
} from './gated.test-support.ts';

/** A data directory that is written with the server gate on, opened with it off, and with it on again. */

const dataDir = mkdtempSync(join(tmpdir(), 'ilk-gates-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const open = (state: 'on' | 'off', crds: KubeObject[] = []) =>
  startCrons({
    crds,
    storage: { kind: 'sqlite', dataDir },
    featureGates: parseFeatureGates(`CRDFieldLevelVersioning=${state === 'on'}`),
  });

const gates = [
  alphaGate('Replicas', '.spec.replicas'),
  { ...alphaGate('Foo', '.spec.foo'), preRelease: 'beta', enabled: false },
];
const shown = (crd: KubeObject) => (crd['spec'] as JsonObject)['customFeatureGates'];

test('loses neither gates nor values', async () => {
  const one = `${cronsPath()}/one`;
  const other = cronCrd([alphaGate('Other', '.spec.replicas')]);
  const otherCrd = JSON.parse(JSON.stringify(other).replaceAll('stable.example.com', 'other.example.com'));
  let stored: KubeObject;
  {
    await using crons = await open('on', [cronCrd(gates)]);
    await crons.turn({ Foo: true });
    const spec = { replicas: 3, foo: { baz: 1 } };
    await crons.call('POST', cronsPath(), cron('one', { spec }));
    await crons.turn({ Foo: false });
    stored = (await crons.call('GET', one)).body;
    expect(stored['spec']).toEqual({ foo: { baz: 1 } });
  }
  {
    await using crons = await open('off');
    expect((await crons.call('GET', one)).body).toEqual(stored);
    // A CRD that had gates keeps them through every write; one that had none gets none.
    const { body } = await crons.call(
      'PATCH',
      crdPath,
      { metadata: { labels: { seen: 'yes' } } },
      mergePatch,
    );
    expect(shown(body)).toEqual({ featureGates: gates });
    const crds = crdPath.replace(/\/[^/]*$/, '');
    const created = await crons.call('POST', crds, otherCrd);
    expect(created.code).toBe(201);
    expect(shown(created.body)).toBe(undefined);
    // No write is refused, and none gets a warning.
    const free = await crons.call('PATCH', one, { spec: { replicas: 5, foo: { qux: 2 } } }, mergePatch);
    expect({ spec: free.body.spec, warnings: free.warnings }).toEqual({
      spec: { replicas: 5, foo: { baz: 1, qux: 2 } },
      warnings: [],
    });
    const { body: document } = await crons.call('GET', '/openapi/v3/apis/stable.example.com/v1');
    expect(JSON.stringify(document)).not.toContain('x-kubernetes-feature-gate');
    const metrics = await (await crons.server.fetch('/metrics')).text();
    expect(metrics).not.toMatch(/^ilk_custom_feature_enabled\{/m);
  }
  {
    await using crons = await open('on');
    expect(shown((await crons.call('GET', crdPath)).body)).toEqual({ featureGates: gates });
    expect((await crons.call('GET', one)).body.spec).toEqual({ replicas: 5, foo: { baz: 1, qux: 2 } });
    const frozen = await crons.call('PATCH', one, { spec: { replicas: 7, foo: null } }, mergePatch);
    expect({ spec: frozen.body.spec, warnings: frozen.warnings }).toEqual({
      spec: { replicas: 5, foo: { baz: 1, qux: 2 } },
      warnings: [
        'CronTab spec.replicas: unchanged (feature gate Replicas is disabled)',
        'CronTab spec.foo: unchanged (feature gate Foo is disabled)',
      ],
    });
    await crons.turn({ Replicas: true, Foo: true });
    const { body } = await crons.call('PATCH', one, { spec: { replicas: 7, foo: null } }, mergePatch);
    expect(body.spec).toEqual({ replicas: 7 });
  }
});

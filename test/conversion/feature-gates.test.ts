import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, ownObject } from '../../src/meta/index.ts';
import {
  alphaGate,
  applyPatch,
  type Crons,
  cron,
  cronCrd,
  cronsPath,
  cronVersion,
  mergePatch,
  ownersOf,
  startCrons,
} from '../feature-gates/gated.test-support.ts';
import { type ConvertObject, converting, WebhookServer } from './webhook-server.ts';

/**
 * Gates on the fields of a kind whose versions differ: what v1 (stored) calls `spec.replicas`, v1beta1 calls
 * `spec.count`, and it does not have `spec.extra` and `status.load`.
 */

const integer = { type: 'integer' };
const schemaOf = (spec: JsonObject, status: JsonObject) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { image: { type: 'string' }, ...spec } },
      status: { type: 'object', properties: { phase: { type: 'string' }, ...status } },
    },
  },
});

const convertCron: ConvertObject = (object, apiVersion) => {
  const { replicas, count, extra: _, ...spec } = ownObject(object, 'spec') ?? {};
  const { load: __, ...status } = ownObject(object, 'status') ?? {};
  const number = replicas ?? count;
  const name = apiVersion.endsWith('/v1') ? 'replicas' : 'count';
  const converted: JsonObject = {
    ...object,
    apiVersion,
    spec: { ...spec, ...(number === undefined ? {} : { [name]: number }) },
  };
  return object['status'] === undefined ? converted : { ...converted, status };
};

let webhook: WebhookServer;
let crons: Crons;
beforeAll(async () => {
  webhook = await WebhookServer.start(converting(convertCron));
  const crd = cronCrd(
    [
      alphaGate('Replicas', '.spec.replicas'),
      alphaGate('Extra', '.spec.extra'),
      alphaGate('Load', '.status.load'),
    ],
    [
      cronVersion('v1', { schema: schemaOf({ replicas: integer, extra: integer }, { load: integer }) }),
      cronVersion('v1beta1', { schema: schemaOf({ count: integer }, {}), subresources: { status: {} } }),
    ],
  );
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: webhook.clientConfig, conversionReviewVersions: ['v1'] },
  };
  crons = await startCrons({ crds: [{ ...crd, spec: { ...(crd['spec'] as JsonObject), conversion } }] });
});
afterAll(async () => {
  await crons.server.close();
  await webhook[Symbol.asyncDispose]();
});

let count = 0;
const newName = () => `cron-${(count += 1)}`;
const at = (name: string, version = 'v1', endpoint = '') => `${cronsPath(version)}/${name}${endpoint}`;
const read = async (name: string, version = 'v1') => (await crons.call('GET', at(name, version))).body;
const on = { Replicas: true, Extra: true, Load: true };
const off = { Replicas: false, Extra: false, Load: false };

/** Written while all gates were on; they are off since. */
async function kept(): Promise<string> {
  const name = newName();
  await crons.turn(on);
  await crons.call(
    'POST',
    `${cronsPath()}?fieldManager=first`,
    cron(name, { spec: { replicas: 3, extra: 7 } }),
  );
  await crons.call('PATCH', at(name, 'v1', '/status'), { status: { load: 9 } }, mergePatch);
  await crons.turn(off);
  return name;
}

const dropped = ['CronTab spec.replicas: dropped (feature gate Replicas is disabled)'];
const unchanged = ['CronTab spec.replicas: unchanged (feature gate Replicas is disabled)'];

describe('a write in a version that a webhook converts', () => {
  test('drops what it calls by another name, and owns it no more than others', async () => {
    await crons.turn(off);
    const name = newName();
    const sent = cron(name, { spec: { image: 'a', count: 5 } }, 'v1beta1');
    const created = await crons.call('POST', cronsPath('v1beta1'), sent);
    expect({ code: created.code, spec: created.body.spec, warnings: created.warnings }).toEqual({
      code: 201,
      spec: { image: 'a' },
      warnings: dropped,
    });
    expect(ownersOf(created.body, 'spec.count')).toEqual([]);
    expect((await read(name)).spec).toEqual({ image: 'a' });
    const patched = await crons.call('PATCH', at(name, 'v1beta1'), { spec: { count: 6 } }, mergePatch);
    expect(patched).toEqual({ code: 200, body: created.body, warnings: dropped });
  });

  test('leaves what is there, in every field that the stored version has', async () => {
    const name = await kept();
    const before = await read(name);
    const seen = await read(name, 'v1beta1');
    expect(seen.spec).toEqual({ count: 3 });
    const undone = await crons.call('PATCH', at(name, 'v1beta1'), { spec: { count: 5 } }, mergePatch);
    expect(undone).toEqual({ code: 200, body: seen, warnings: unchanged });
    expect(await read(name)).toEqual(before);
    const partly = { ...seen, spec: { image: 'b', count: 5 } };
    const { body, warnings } = await crons.call('PUT', at(name, 'v1beta1'), partly);
    expect({ spec: body.spec, warnings }).toEqual({ spec: { image: 'b', count: 3 }, warnings: unchanged });
    const after = await read(name);
    expect(after.spec).toEqual({ image: 'b', replicas: 3, extra: 7 });
    expect(after.status).toEqual({ load: 9 });
    expect(after.metadata.generation).toBe(before.metadata.generation + 1);
    expect(ownersOf(after, 'spec.replicas')).toEqual(['first']);
  });

  test('goes on as usual where the gates are on', async () => {
    const name = await kept();
    await crons.turn(on);
    const { body, warnings } = await crons.call(
      'PATCH',
      at(name, 'v1beta1'),
      { spec: { count: 5 } },
      mergePatch,
    );
    expect({ spec: body.spec, warnings }).toEqual({ spec: { count: 5 }, warnings: [] });
    expect((await read(name)).spec).toEqual({ replicas: 5 });
  });

  test('keeps through the status what belongs to the spec, and the other way round', async () => {
    const name = await kept();
    const { warnings } = await crons.call(
      'PATCH',
      at(name, 'v1beta1', '/status'),
      { status: { phase: 'x' } },
      mergePatch,
    );
    expect(warnings).toEqual([]);
    expect(await read(name)).toMatchObject({
      spec: { replicas: 3, extra: 7 },
      status: { phase: 'x', load: 9 },
    });
  });

  test('keeps it through apply', async () => {
    const name = await kept();
    const applied = cron(name, { spec: { image: 'c', count: 5 } }, 'v1beta1');
    const path = `${at(name, 'v1beta1')}?fieldManager=second&force=true`;
    const { code, body, warnings } = await crons.call('PATCH', path, applied, applyPatch);
    expect({ code, spec: body.spec, warnings }).toEqual({
      code: 200,
      spec: { image: 'c', count: 3 },
      warnings: unchanged,
    });
    expect((await read(name)).spec).toEqual({ image: 'c', replicas: 3, extra: 7 });
  });

  test('keeps it when the object is marked for deletion', async () => {
    const name = await kept();
    const finalizers = ['example.com/hold'];
    await crons.call('PATCH', at(name), { metadata: { finalizers } }, mergePatch);
    await crons.call('DELETE', at(name, 'v1beta1'));
    const marked = await read(name);
    expect(marked.metadata.deletionTimestamp).toEqual(expect.any(String));
    expect({ spec: marked.spec, status: marked.status }).toEqual({
      spec: { replicas: 3, extra: 7 },
      status: { load: 9 },
    });
    await crons.call('PATCH', at(name), { metadata: { finalizers: null } }, mergePatch);
  });

  test('asks the webhook no more than it must', async () => {
    const name = await kept();
    await read(name, 'v1beta1');
    const calls = async (patch: JsonObject) => {
      webhook.takeCalls();
      await crons.call('PATCH', at(name, 'v1beta1'), patch, mergePatch);
      return webhook.takeCalls().length;
    };
    await crons.turn(on);
    await read(name, 'v1beta1');
    const free = await calls({ spec: { image: 'd' } });
    await crons.turn(off);
    await read(name, 'v1beta1');
    expect(await calls({ spec: { image: 'e' } })).toBe(free + 1);
    await read(name, 'v1beta1');
    expect(await calls({ spec: { image: 'f', count: 5 } })).toBe(free + 2);
  });
});

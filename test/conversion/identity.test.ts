import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeJson, encodeJson } from '../../src/codec/index.ts';
import { randomValue, randomBelow } from '../../src/codec/random-value.test-data.ts';
import { isObject, type JsonObject, type JsonValue, type KubeObject, own } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { convertEndpoint, endpointCrd, endpointsPath, group } from './endpoints.ts';
import { converting, WebhookServer } from './webhook-server.ts';

let webhook: WebhookServer;
let server: IlkServer;
beforeAll(async () => {
  webhook = await WebhookServer.start(converting(convertEndpoint));
  server = await startServer({ crds: [withoutDefaults(endpointCrd(webhook.clientConfig))], listen: false });
});
afterAll(async () => {
  await server.close();
  await webhook[Symbol.asyncDispose]();
});

/** What a default adds in one version is nothing that the other one could give back. */
function withoutDefaults(crd: KubeObject): KubeObject {
  const text = encodeJson(crd).toString();
  return objectIn(Buffer.from(text.replace(',"zone":{"default":"here","type":"string"}', '')));
}

const headers = { 'content-type': 'application/json' };

async function read(version: 'v1' | 'v2', name: string): Promise<KubeObject> {
  const response = await server.fetch(endpointsPath(version, `/${name}`));
  return objectIn(Buffer.from(await response.text()));
}

function objectIn(bytes: Buffer): JsonObject {
  const { value } = decodeJson(bytes);
  return isObject(value) ? value : {};
}

/** Null is dropped where it stands directly in a map of the schema: below `data` everything stays. */
const dataOf = (object: KubeObject): JsonValue => {
  const spec = own(object, 'spec');
  return isObject(spec) ? (own(spec, 'data') ?? null) : null;
};

test('whatever users put into an object comes out of both versions as it went in, and goes there and back', async () => {
  const random = randomBelow(7);
  for (let round = 0; round < 150; round += 1) {
    const name = `e${round}`;
    const data = { value: randomValue(random, 1) };
    const [version, spec] =
      round % 2 === 0
        ? (['v1', { address: `h${round}:${round}`, data }] as const)
        : (['v2', { host: `h${round}`, port: round, data }] as const);
    const object = { apiVersion: `${group}/${version}`, kind: 'Endpoint', metadata: { name }, spec };
    const init = { method: 'POST', headers, body: encodeJson(object) };
    const created = await server.fetch(endpointsPath(version), init);
    const answer = Buffer.from(await created.text());
    expect({ round, code: created.status }).toEqual({ round, code: 201 });
    const text = encodeJson(data).toString();
    expect(encodeJson(dataOf(objectIn(answer))).toString()).toBe(text);
    for (const other of ['v1', 'v2'] as const) {
      expect(encodeJson(dataOf(await read(other, name))).toString()).toBe(text);
    }
    // A write of what was read in the other version changes nothing.
    const there = version === 'v1' ? 'v2' : 'v1';
    const seen = await read(there, name);
    const put = await server.fetch(endpointsPath(there, `/${name}`), {
      method: 'PUT',
      headers,
      body: encodeJson(seen),
    });
    expect(objectIn(Buffer.from(await put.text()))).toEqual(seen);
  }
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { convertEndpoint, endpointCrd, endpointsPath, endpointV1 } from './endpoints.ts';
import { type Answer, converting, saying, WebhookServer } from './webhook-server.ts';

const fewer = (_: JsonObject, response: JsonObject) => void (response['convertedObjects'] = []);
const answers: readonly [string, Answer][] = [
  ['conversion_webhook_call_failure', saying(500, 'text/plain', 'no')],
  ['conversion_webhook_malformed_response_failure', saying(200, 'application/json', '{}')],
  ['conversion_webhook_partial_response_failure', converting(convertEndpoint, fewer)],
  [
    'conversion_webhook_invalid_converted_object_failure',
    converting((object, apiVersion) => ({ ...object, apiVersion, kind: 'Other' })),
  ],
];

/** The lines of one metric, without those that measure. */
const linesOf = (metrics: string, name: string) =>
  metrics.split('\n').filter((line) => line.startsWith(`${name}{`));

test('reviews are counted by their result, and by CRD and versions', async () => {
  await using webhook = await WebhookServer.start(converting(convertEndpoint));
  await using server = await startServer({ crds: [endpointCrd(webhook.clientConfig)], listen: false });
  const create = async (name: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(endpointV1(name, 'host:80'));
    return (await server.fetch(endpointsPath('v1'), { method: 'POST', headers, body })).status;
  };
  expect(await create('a')).toBe(201);
  for (const [, answer] of answers) {
    webhook.answer = answer;
    expect(await create('b')).toBe(500);
  }
  const metrics = await (await server.fetch('/metrics')).text();
  expect(linesOf(metrics, 'apiserver_conversion_webhook_request_total')).toEqual([
    'apiserver_conversion_webhook_request_total{result="success",failure_type=""} 2',
    ...answers.map(
      ([type]) => `apiserver_conversion_webhook_request_total{result="failure",failure_type="${type}"} 1`,
    ),
  ]);
  const crd = 'crd_name="endpoints.net.example.com"';
  expect(linesOf(metrics, 'apiserver_crd_conversion_webhook_duration_seconds_count')).toEqual([
    `apiserver_crd_conversion_webhook_duration_seconds_count{${crd},from_version="v1",to_version="v2",succeeded="true"} 1`,
    `apiserver_crd_conversion_webhook_duration_seconds_count{${crd},from_version="v2",to_version="v1",succeeded="true"} 1`,
    `apiserver_crd_conversion_webhook_duration_seconds_count{${crd},from_version="v1",to_version="v2",succeeded="false"} 4`,
  ]);
});

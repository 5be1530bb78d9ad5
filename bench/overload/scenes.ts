import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { widgetsPath } from '../http/served.ts';
import type { Job, Outcome } from '../peer/load-generator.ts';
import { heldNamespace, type SharedServer } from './shared-server.ts';

/** What another user does meanwhile. */
export interface Scene {
  readonly name: string;
  /** How many objects there have to be. */
  readonly objects?: number;
  /** Begins it; what it gives ends it, and says what came of it. */
  begin(server: SharedServer): Promise<() => Promise<Outcome>>;
}

const endless = 10_000_000;
const json = { 'content-type': 'application/json' };

const configMap = (keys: number) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'flood-' },
    data: Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key-${index}`, 'x'.repeat(16)])),
  });

/** Requests on a number of connections, each sent after the response to the previous one. */
function flood(name: string, job: Omit<Job, 'requests'>, objects = 0): Scene {
  return {
    name,
    objects,
    async begin(server) {
      const open = server.open('flood', { ...job, requests: endless });
      await open.ready;
      open.begin();
      return async () => {
        const outcome = await open.stop();
        await open.close();
        return outcome;
      };
    },
  };
}

const configMaps = '/api/v1/namespaces/default/configmaps';

/** Watches that are opened, sixteen at a time, up to a number. */
const opening: Scene = {
  name: '10,000 watches are opened, over TLS connections of their own',
  async begin(server) {
    const job = { connections: 1, requests: 0, path: '/version', watchers: 10_000 };
    const open = server.open('flood', { ...job, watchPath: `${configMaps}?watch=1&labelSelector=a%3D{i}` });
    return async () => {
      await open.ready;
      open.begin();
      const outcome = await open.outcome;
      await open.close();
      return outcome;
    };
  },
};

/** Creates that wait for a webhook that accepts connections and does not respond. */
const hangingWebhook: Scene = {
  name: '300 connections create, and a webhook hangs',
  async begin(server) {
    const sockets = new Set<Socket>();
    const webhook = createServer((socket) => sockets.add(socket.on('error', () => {})));
    await once(webhook.listen(0, '127.0.0.1'), 'listening');
    await configureWebhook(server, (webhook.address() as AddressInfo).port); // It listens on a port.
    const path = `/api/v1/namespaces/${heldNamespace}/configmaps`;
    const job = { method: 'POST', path, body: configMap(1), headers: json, connections: 300 };
    const stop = await flood('', job).begin(server);
    return async () => {
      const stopping = stop();
      for (const socket of sockets) socket.destroy();
      webhook.close();
      return stopping;
    };
  },
};

async function configureWebhook(server: SharedServer, port: number): Promise<void> {
  const send = (path: string, body: object) =>
    server.run('filler', {
      method: 'POST',
      path,
      body: JSON.stringify(body),
      headers: json,
      connections: 1,
      requests: 1,
    });
  await send('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: heldNamespace },
  });
  const match = { matchLabels: { 'kubernetes.io/metadata.name': heldNamespace } };
  await send('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hangs' },
    webhooks: [
      {
        name: 'hangs.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        namespaceSelector: match,
        clientConfig: { url: `https://127.0.0.1:${port}/` },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
    ],
  });
}

const filter = encodeURIComponent('metadata.name > "w-9"');

/** What is done to a quiet user, one after the other. */
export const scenes: readonly Scene[] = [
  flood('300 connections get', { connections: 300, path: '/api/v1/namespaces/default' }),
  flood('2,000 connections get', { connections: 2_000, path: '/api/v1/namespaces/default' }),
  flood('64 streams on each of 32 HTTP/2 connections get', {
    protocol: 'h2',
    connections: 32,
    streams: 64,
    path: '/api/v1/namespaces/default',
  }),
  flood('300 connections create', {
    connections: 300,
    method: 'POST',
    path: configMaps,
    body: configMap(1),
    headers: json,
  }),
  flood('16 connections list 100,000 objects', { connections: 16, path: widgetsPath }, 100_000),
  flood(
    '16 connections ask for CEL filters over 100,000 objects, which are refused',
    { connections: 16, path: `${widgetsPath}?filter=${filter}` },
    100_000,
  ),
  flood('16 connections write 1 MB, 30,000 keys', {
    connections: 16,
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    body: configMap(30_000),
    headers: json,
  }),
  opening,
  hangingWebhook,
];

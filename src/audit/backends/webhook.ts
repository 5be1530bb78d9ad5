import { decodeJson } from '../../codec/index.ts';
import type { ServiceClient } from '../../webhook/index.ts';
import type { AuditBackend } from '../backend.ts';

/** Posts events to another server, as an EventList. Source: apiserver, plugin/pkg/audit/webhook. */
export function auditWebhook(client: Pick<ServiceClient, 'post' | 'close'>): AuditBackend {
  return {
    async write(events) {
      const items = events.map((event) => decodeJson(Buffer.from(event)).value);
      await client.post({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items });
    },
    async close() {
      client.close();
    },
  };
}

import type { JsonObject } from '../../meta/index.ts';

/** Parts of the schemas of built-in kinds. */

export const text: JsonObject = { type: 'string' };
export const int32: JsonObject = { type: 'integer', format: 'int32' };
const int64: JsonObject = { type: 'integer', format: 'int64' };
export const time: JsonObject = { type: 'string', format: 'date-time' };

export function object(properties: JsonObject): JsonObject {
  return { type: 'object', properties };
}

export function listOf(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

/** core/v1 ObjectReference */
export const objectReference: JsonObject = object({
  apiVersion: text,
  fieldPath: text,
  kind: text,
  name: text,
  namespace: text,
  resourceVersion: text,
  uid: text,
});

/** A condition of a status, with the times that the kinds have in different sets. */
export const condition: JsonObject = object({
  type: text,
  status: text,
  reason: text,
  message: text,
  lastTransitionTime: time,
  lastUpdateTime: time,
  lastProbeTime: time,
  lastHeartbeatTime: time,
  observedGeneration: int64,
});

import { formatTime, type JsonObject, type KubeObject, metadataString } from '../meta/index.ts';
import { objectsOf, statusOf, textOf } from './spec-view.ts';

/** The condition types that the server sets. */
export type CrdConditionType =
  | 'Established'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'FieldsFrozen'
  | 'KubernetesAPIApprovalPolicyConformant';

/** A condition without its transition time, which {@link setCondition} adds. */
export interface CrdCondition {
  readonly type: CrdConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The condition of this type in the status; undefined if there is none. */
export function findCondition(crd: KubeObject, type: CrdConditionType): JsonObject | undefined {
  return objectsOf(statusOf(crd), 'conditions').find((condition) => condition['type'] === type);
}

/** A condition, as stored in the status. */
export function conditionFrom(type: CrdConditionType, found: JsonObject): CrdCondition {
  const status = found['status'] === 'True' || found['status'] === 'False' ? found['status'] : 'Unknown';
  return { type, status, reason: textOf(found, 'reason'), message: textOf(found, 'message') };
}

/** True if the condition exists and its status is `True`. */
export function isConditionTrue(crd: KubeObject, type: CrdConditionType): boolean {
  return findCondition(crd, type)?.['status'] === 'True';
}

/** True if the status of the CRD already has this condition; the transition time is not compared. */
export function hasCondition(crd: KubeObject, condition: CrdCondition): boolean {
  const found = findCondition(crd, condition.type);
  return (
    found !== undefined &&
    found['status'] === condition.status &&
    textOf(found, 'reason') === condition.reason &&
    textOf(found, 'message') === condition.message
  );
}

/** Sets a condition in the status, in place. The transition time changes only if the condition's status changes. */
export function setCondition(crd: KubeObject, condition: CrdCondition, nowMs: number): void {
  const existing = findCondition(crd, condition.type);
  const lastTransitionTime = formatTime(nowMs);
  if (existing === undefined) {
    const status = statusOf(crd);
    status['conditions'] = [
      ...objectsOf(status, 'conditions'),
      conditionObject(condition, lastTransitionTime),
    ];
    crd['status'] = status;
    return;
  }
  const since = existing['lastTransitionTime'];
  const keeps = existing['status'] === condition.status && typeof since === 'string' && since !== '';
  // Go omits empty strings.
  for (const field of ['reason', 'message']) delete existing[field];
  Object.assign(existing, conditionObject(condition, keeps ? since : lastTransitionTime));
}

function conditionObject(condition: CrdCondition, lastTransitionTime: string): JsonObject {
  const { type, status, reason, message } = condition;
  return {
    type,
    status,
    lastTransitionTime,
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
  };
}

/** Removes a condition from the status, in place. */
export function removeCondition(crd: KubeObject, type: CrdConditionType): void {
  const status = statusOf(crd);
  status['conditions'] = objectsOf(status, 'conditions').filter((condition) => condition['type'] !== type);
  crd['status'] = status;
}

/** What the conditions of a CRD mean for its clients. */
export interface CrdConditions {
  /** The resource answers requests. */
  readonly served: boolean;
  /** Discovery lists the resource. */
  readonly established: boolean;
  /** The CRD is being deleted: creates are refused. */
  readonly terminating: boolean;
}

/** Reads them from the status. A CRD that lost a name to another CRD stays served if it was ever established. */
export function crdConditions(crd: KubeObject): CrdConditions {
  const established = isConditionTrue(crd, 'Established');
  return Object.freeze({
    served: established || isConditionTrue(crd, 'NamesAccepted'),
    established,
    terminating: isTerminating(crd),
  });
}

function isTerminating(crd: KubeObject): boolean {
  return metadataString(crd, 'deletionTimestamp') !== '' || isConditionTrue(crd, 'Terminating');
}

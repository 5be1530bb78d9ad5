import type { FaultKind } from './fault-kind.ts';
import { conflictKind } from './kinds/conflict.ts';
import { dropKind } from './kinds/drop.ts';
import { errorKind } from './kinds/error.ts';
import { expiredKind } from './kinds/expired.ts';
import { latencyKind } from './kinds/latency.ts';
import { stallKind } from './kinds/stall.ts';
import { tooManyRequestsKind } from './kinds/too-many-requests.ts';
import { webhookKind } from './kinds/webhook.ts';

/** All kinds of faults, in the order of the documentation. */
export const faultKinds: readonly FaultKind[] = Object.freeze([
  conflictKind,
  expiredKind,
  dropKind,
  stallKind,
  latencyKind,
  tooManyRequestsKind,
  errorKind,
  webhookKind,
]);

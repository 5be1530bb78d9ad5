import {
  formatTime,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownString,
  pathSegmentName,
  put,
  type UserInfo,
} from '../../meta/index.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy/strategy.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { keepField, plainStrategy } from '../strategy/plain-strategy.ts';
import {
  conditionsOf,
  signingRequestChangeErrors,
  signingRequestErrors,
} from './validate-signing-request.ts';

const plain = plainStrategy();

/**
 * Who asks is written down by the server, and nothing of the spec changes later: `/approval` changes the conditions,
 * `/status` the certificate and the other conditions.
 * Source: kubernetes, pkg/registry/certificates/certificates/strategy.go.
 */
export const signingRequestStrategy: Strategy = Object.freeze({
  ...plain,
  nameRule: pathSegmentName,

  prepareForCreate(request: KubeObject, context: StrategyContext): void {
    request['spec'] = { ...specOf(request), ...requester(context.user) };
    plain.prepareForCreate(request, context);
    request['status'] = {};
  },

  validateCreate(request: KubeObject, context: StrategyContext) {
    const { errors, warnings } = plain.validateCreate(request, context);
    return { errors: [...errors, ...signingRequestErrors(request)], warnings };
  },

  prepareForUpdate(request: KubeObject, old: KubeObject, endpoint: Endpoint, { clock }: StrategyContext) {
    keepField(request, old, 'spec');
    if (endpoint === '') return keepField(request, old, 'status');
    if (endpoint === 'status') keepDecision(request, old);
    const conditions = withTimes(request, old, formatTime(clock.now()));
    const status = endpoint === 'approval' ? statusOf(old) : statusOf(request);
    const { conditions: _, ...rest } = status;
    request['status'] = { ...(conditions.length === 0 ? {} : { conditions }), ...rest };
  },

  validateUpdate(request: KubeObject, old: KubeObject, endpoint: Endpoint, context: StrategyContext) {
    const { errors, warnings } = plain.validateUpdate(request, old, endpoint, context);
    return { errors: [...errors, ...signingRequestChangeErrors(request, old, endpoint)], warnings };
  },
});

/** Whatever the client said of who asks goes. */
function requester(user: UserInfo): JsonObject {
  const { name, uid, groups, extra } = user;
  const extras: JsonObject = {};
  for (const [key, values] of extra ?? []) put(extras, key, [...values]);
  return {
    username: name,
    uid: uid ?? '',
    groups: [...groups],
    extra: extras,
  };
}

/** If no approval or denial was added or removed, those of the old status are restored unchanged. */
function keepDecision(request: KubeObject, old: KubeObject): void {
  for (const type of ['Approved', 'Denied']) {
    const before = conditionsOf(old, type);
    if (before.length !== conditionsOf(request, type).length) continue;
    let next = 0;
    const conditions = ownList(statusOf(request), 'conditions') ?? [];
    for (const [index, one] of conditions.entries()) {
      if (!isObject(one) || own(one, 'type') !== type) continue;
      conditions[index] = structuredClone(before[next] ?? one);
      next += 1;
    }
  }
}

function withTimes(request: KubeObject, old: KubeObject, now: string): JsonValue[] {
  const before = (ownList(statusOf(old), 'conditions') ?? []).filter(isObject);
  return (ownList(statusOf(request), 'conditions') ?? []).filter(isObject).map((condition) => {
    const same = before.find(
      (one) =>
        own(one, 'type') === own(condition, 'type') &&
        own(one, 'status') === own(condition, 'status') &&
        ownString(one, 'lastTransitionTime') !== undefined,
    );
    return {
      ...condition,
      lastUpdateTime: own(condition, 'lastUpdateTime') ?? now,
      lastTransitionTime:
        own(condition, 'lastTransitionTime') ?? own(same ?? {}, 'lastTransitionTime') ?? now,
    };
  });
}

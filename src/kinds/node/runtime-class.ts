import {
  checkDnsLabel,
  duplicate,
  type FieldError,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { labelsErrors } from '../rules/validate-label-selector.ts';
import { tolerationErrors } from '../rules/validate-pod-scheduling.ts';
import { resourcesErrors } from '../rules/validate-resources.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/node/validation. */
const rules: readonly KindRule[] = [
  { path: 'handler', required: true, check: checkShortName, immutable: true, declared: true },
  overheadErrors,
  (runtime) => labelsErrors('scheduling.nodeSelector', ownObject(schedulingOf(runtime), 'nodeSelector')),
  (runtime) => tolerationsErrors(schedulingOf(runtime)),
];

/** {@link checkDnsLabel} with the messages of upstream's declarations. */
function checkShortName(name: string): string[] {
  return checkDnsLabel(name).map((text) =>
    text.replace(/^(must be no more than \d+) characters$/, '$1 bytes'),
  );
}

function schedulingOf(runtime: KubeObject): JsonObject {
  return ownObject(runtime, 'scheduling') ?? {};
}

function overheadErrors(runtime: KubeObject): FieldError[] {
  const overhead = ownObject(runtime, 'overhead');
  if (overhead === undefined) return [];
  return resourcesErrors({ limits: ownObject(overhead, 'podFixed') ?? {} }, 'overhead');
}

function tolerationsErrors(scheduling: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('scheduling', scheduling, 'tolerations', (toleration, path) => {
    const errors = [...tolerationErrors(toleration, path)];
    const key = JSON.stringify(['key', 'operator', 'value', 'effect'].map((name) => own(toleration, name)));
    if (seen.has(key)) errors.push(duplicate(path, toleration));
    seen.add(key);
    return errors;
  });
}

/** The admission plugin RuntimeClass gives pods its overhead and scheduling. */
export const runtimeClassKind: BuiltInKind = {
  strategy: ruledStrategy({ rules }),
  type: builtInType({
    group: 'node.k8s.io',
    version: 'v1',
    kind: 'RuntimeClass',
    resource: 'runtimeclasses',
    namespaced: false,
    columns: [
      column('Handler', '.handler', { description: 'The runtime and configuration that handle pods.' }),
      ageColumn,
    ],
  }),
};

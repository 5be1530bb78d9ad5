import { keepingMetadata } from '../definition/kept-metadata.ts';
import { isObject, type JsonObject, type KubeObject, own, ownList, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { numberAt, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { conditionErrors, flowSchemaRules } from './validate-flow-schema.ts';

/** Zero counts as unset, as in Go. */
function complete(schema: KubeObject): void {
  const spec = ownObject(schema, 'spec');
  if (spec !== undefined && (numberAt(spec, 'matchingPrecedence') ?? 0) === 0)
    spec['matchingPrecedence'] = 1_000;
}

const levelOf = (schema: KubeObject) =>
  textAt(ownObject(specOf(schema), 'priorityLevelConfiguration') ?? {}, 'name');
const distinguisherOf = (schema: KubeObject) =>
  textAt(ownObject(specOf(schema), 'distinguisherMethod') ?? {}, 'type') || '<none>';

function danglingOf(schema: KubeObject): string {
  const conditions: readonly JsonObject[] = (ownList(statusOf(schema), 'conditions') ?? []).filter(isObject);
  const dangling = conditions.find((condition) => own(condition, 'type') === 'Dangling');
  return dangling === undefined ? '?' : textAt(dangling, 'status');
}

export const flowSchemaKind: BuiltInKind = keepingMetadata(
  {
    strategy: ruledStrategy({
      generation: true,
      rules: flowSchemaRules,
      statusRules: [conditionErrors],
    }),
    type: builtInType({
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1',
      kind: 'FlowSchema',
      resource: 'flowschemas',
      namespaced: false,
      status: true,
      complete,
      columns: [
        column('PriorityLevel', '', { read: levelOf, description: 'The priority level of its requests.' }),
        column('MatchingPrecedence', '.spec.matchingPrecedence', {
          description: 'Schemas with lower values are matched first.',
        }),
        column('DistinguisherMethod', '', {
          read: distinguisherOf,
          description: 'How its flows are distinguished.',
        }),
        ageColumn,
        column('MissingPL', '', { read: danglingOf, description: 'Whether its priority level is missing.' }),
      ],
    }),
  },
  'all',
);

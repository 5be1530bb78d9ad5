import { keepingMetadata } from '../definition/kept-metadata.ts';
import { type JsonObject, type KubeObject, own, ownObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { numberAt } from '../rules/field-checks.ts';
import { specOf } from '../rules/workload.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { conditionErrors } from './validate-flow-schema.ts';
import { priorityLevelRules } from './validate-priority-level.ts';

/** Source: kubernetes, pkg/apis/flowcontrol/v1/defaults.go. */
function complete(level: KubeObject): void {
  const spec = ownObject(level, 'spec') ?? {};
  const [limited, exempt] = [ownObject(spec, 'limited'), ownObject(spec, 'exempt')];
  if (exempt !== undefined) {
    exempt['nominalConcurrencyShares'] ??= 0;
    exempt['lendablePercent'] ??= 0;
  }
  if (limited === undefined) return;
  limited['nominalConcurrencyShares'] ??= 30;
  limited['lendablePercent'] ??= 0;
  const queuing = queuingOf(limited);
  if (queuing !== undefined) completeQueuing(queuing);
}

/** Zero counts as unset, as in Go. */
function completeQueuing(queuing: JsonObject): void {
  for (const [field, value] of [
    ['handSize', 8],
    ['queues', 64],
    ['queueLengthLimit', 50],
  ] as const) {
    if ((numberAt(queuing, field) ?? 0) === 0) queuing[field] = value;
  }
}

function queuingOf(limited: JsonObject): JsonObject | undefined {
  return ownObject(ownObject(limited, 'limitResponse') ?? {}, 'queuing');
}

function limitedCell(level: KubeObject, field: string): string {
  const limited = ownObject(specOf(level), 'limited') ?? {};
  const from = field === 'nominalConcurrencyShares' ? limited : (queuingOf(limited) ?? {});
  return String(own(from, field) ?? '<none>');
}

function limitedColumn(name: string, field: string, description: string) {
  return column(name, '', { read: (level) => limitedCell(level, field), description });
}

export const priorityLevelConfigurationKind: BuiltInKind = keepingMetadata(
  {
    strategy: ruledStrategy({
      generation: true,
      rules: priorityLevelRules,
      statusRules: [conditionErrors],
    }),
    type: builtInType({
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1',
      kind: 'PriorityLevelConfiguration',
      resource: 'prioritylevelconfigurations',
      namespaced: false,
      status: true,
      complete,
      columns: [
        column('Type', '.spec.type', { description: 'Whether its requests are limited or exempt.' }),
        limitedColumn('NominalConcurrencyShares', 'nominalConcurrencyShares', 'Its share of the seats.'),
        limitedColumn('Queues', 'queues', 'How many queues there are.'),
        limitedColumn('HandSize', 'handSize', 'In how many of them a flow may wait.'),
        limitedColumn('QueueLengthLimit', 'queueLengthLimit', 'How long each may be.'),
        ageColumn,
      ],
    }),
  },
  'all',
);

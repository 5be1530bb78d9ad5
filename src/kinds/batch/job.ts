import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownList,
  ownObject,
  put,
} from '../../meta/index.ts';
import { containerWarnings } from '../rules/validate-container.ts';
import { jobChangeErrors, jobErrors } from './validate-job.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { completeTemplate, count, specOf, statusOf, templateSpec } from '../rules/workload.ts';
import { selectorColumn, wideColumns } from '../definition/workload-columns.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';

/** One pod once, unless it is said otherwise. Source: kubernetes, pkg/apis/batch/v1/defaults.go. */
function complete(job: KubeObject): void {
  completeTemplate(job);
  const spec = ownObject(job, 'spec');
  if (spec === undefined) return;
  if (own(spec, 'parallelism') === undefined) spec['completions'] ??= 1;
  spec['parallelism'] ??= 1;
  spec['backoffLimit'] ??= own(spec, 'backoffLimitPerIndex') === undefined ? 6 : 2_147_483_647;
  spec['podReplacementPolicy'] ??=
    own(spec, 'podFailurePolicy') === undefined ? 'TerminatingOrFailed' : 'Failed';
  labelAsTemplate(job);
}

/** A job without labels has those of its pods. */
function labelAsTemplate(job: KubeObject): void {
  const template = ownObject(ownObject(specOf(job), 'template') ?? {}, 'metadata') ?? {};
  const labels = own(template, 'labels');
  const metadata = own(job, 'metadata');
  if (!isObject(labels) || Object.keys(labels).length === 0 || !isObject(metadata)) return;
  const present = own(metadata, 'labels');
  if (!isObject(present) || Object.keys(present).length === 0) metadata['labels'] = { ...labels };
}

/** A job selects its pods by its own uid. Source: kubernetes, pkg/registry/batch/job/strategy.go, generateSelector. */
function generateSelector(job: KubeObject): void {
  const spec = ownObject(job, 'spec');
  if (spec === undefined || own(spec, 'manualSelector') === true) return;
  const template = childOf(spec, 'template');
  const uid = metadataString(job, 'uid');
  const labels = childOf(childOf(template, 'metadata'), 'labels');
  const ours: readonly (readonly [string, string])[] = [
    ['job-name', nameOf(job)],
    ['batch.kubernetes.io/job-name', nameOf(job)],
    ['controller-uid', uid],
    [uidLabel, uid],
  ];
  for (const [key, value] of ours) put(labels, key, value);
  const selector = childOf(spec, 'selector');
  put(childOf(selector, 'matchLabels'), uidLabel, uid);
  labelAsTemplate(job);
}

function childOf(object: JsonObject, field: string): JsonObject {
  const present = own(object, field);
  if (isObject(present)) return present;
  const made: JsonObject = {};
  put(object, field, made);
  return made;
}

function hasCondition(job: KubeObject, type: string): boolean {
  return (ownList(statusOf(job), 'conditions') ?? []).some(
    (one) => isObject(one) && own(one, 'type') === type && own(one, 'status') === 'True',
  );
}

function statusCell(job: KubeObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (own(metadataOf(job), 'deletionTimestamp') !== undefined) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  return hasCondition(job, 'FailureTarget') ? 'FailureTarget' : 'Running';
}

function completionsCell(job: KubeObject): JsonValue {
  const [spec, done] = [specOf(job), String(count(statusOf(job), 'succeeded'))];
  const wanted = own(spec, 'completions');
  if (wanted !== undefined) return `${done}/${String(wanted)}`;
  const parallel = own(spec, 'parallelism') ?? 0;
  return typeof parallel === 'number' && parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`;
}

export const jobKind: BuiltInKind = {
  strategy: ruledStrategy({
    generation: true,
    firstStatus: () => ({}),
    prepareNew: generateSelector,
    validate: jobErrors,
    validateChange: jobChangeErrors,
    warn: (job) => containerWarnings('spec.template.spec', templateSpec(job) ?? {}),
  }),
  type: builtInType({
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    resource: 'jobs',
    namespaced: true,
    categories: ['all'],
    status: true,
    selectableFields: [
      {
        // The name is upstream's, though the field is called otherwise.
        fieldPath: 'status.successful',
        valueType: 'integer',
        read: (job) => String(count(statusOf(job), 'succeeded')),
        default: '0',
        description: 'Set to the value of the status.succeeded field',
      },
    ],
    complete,
    columns: [
      column('Status', '', { read: statusCell, description: 'The state of the job.' }),
      column('Completions', '', {
        read: completionsCell,
        description: 'The number of succeeded and desired pods.',
      }),
      ageColumn,
      ...wideColumns,
      selectorColumn,
    ],
  }),
};

import {
  type FieldError,
  invalid,
  type KubeObject,
  nameOf,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { jobSpecErrors } from './validate-job.ts';
import { completePodSpec } from '../rules/pod-spec.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { specOf, statusOf } from '../rules/workload.ts';

const podOf = (cronJob: KubeObject) => {
  const job = ownObject(ownObject(specOf(cronJob), 'jobTemplate') ?? {}, 'spec') ?? {};
  return ownObject(ownObject(job, 'template') ?? {}, 'spec');
};

const nameCharsMax = 52;

/** Source: kubernetes, pkg/apis/batch/validation, ValidateCronJobSpec; schedules are not taken apart. */
const rules: readonly KindRule[] = [
  nameErrors,
  { path: 'spec.schedule', required: true },
  { path: 'spec.startingDeadlineSeconds', min: 0 },
  { path: 'spec.concurrencyPolicy', oneOf: ['Allow', 'Forbid', 'Replace'] },
  templateErrors,
  { path: 'spec.successfulJobsHistoryLimit', min: 0 },
  { path: 'spec.failedJobsHistoryLimit', min: 0 },
];

/** The names of its jobs have eleven characters more. */
function nameErrors(cronJob: KubeObject): FieldError[] {
  const name = nameOf(cronJob);
  if (name.length <= nameCharsMax) return [];
  return [invalid('metadata.name', name, `must be no more than ${nameCharsMax} characters`)];
}

function templateErrors(cronJob: KubeObject): FieldError[] {
  const path = 'spec.jobTemplate.spec';
  const job = ownObject(ownObject(specOf(cronJob), 'jobTemplate') ?? {}, 'spec') ?? {};
  const selector = own(job, 'selector');
  return [
    ...jobSpecErrors(path, job),
    ...(selector === undefined
      ? []
      : [invalid(`${path}.selector`, selector, '`selector` will be auto-generated')]),
    ...(own(job, 'manualSelector') === true
      ? [notSupported(`${path}.manualSelector`, true, ['nil', 'false'])]
      : []),
  ];
}

/** Its time never comes. */
export const cronJobKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules, firstStatus: () => ({}) }),
  type: builtInType({
    group: 'batch',
    version: 'v1',
    kind: 'CronJob',
    resource: 'cronjobs',
    namespaced: true,
    shortNames: ['cj'],
    categories: ['all'],
    status: true,
    complete: (cronJob) => completePodSpec(podOf(cronJob)),
    columns: [
      column('Schedule', '.spec.schedule', { description: 'When it makes jobs.' }),
      column('Timezone', '', {
        read: (cronJob) => ownString(specOf(cronJob), 'timeZone') ?? '<none>',
        description: 'Whose time that is.',
      }),
      column('Suspend', '.spec.suspend', { type: 'boolean', description: 'Whether it rests.' }),
      column('Active', '', {
        type: 'integer',
        read: (cronJob) => (ownList(statusOf(cronJob), 'active') ?? []).length,
        description: 'How many of its jobs are under way.',
      }),
      column('Last Schedule', '.status.lastScheduleTime', {
        type: 'date',
        description: 'When it made the last one.',
      }),
      ageColumn,
    ],
  }),
};

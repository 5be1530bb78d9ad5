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
  parseSchedule,
  ScheduleError,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { textAt } from '../rules/field-checks.ts';
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

/** Source: kubernetes, pkg/apis/batch/validation, ValidateCronJobSpec. */
const rules: readonly KindRule[] = [
  nameErrors,
  { path: 'spec.schedule', required: true, declared: true },
  scheduleErrors,
  timeZoneErrors,
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

function scheduleErrors(cronJob: KubeObject): FieldError[] {
  const schedule = textAt(specOf(cronJob), 'schedule');
  if (schedule === '') return [];
  const path = 'spec.schedule';
  const mistake = zonedMistake(schedule);
  const inSchedule = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [
    ...(mistake === undefined ? [] : [invalid(path, schedule, mistake)]),
    ...(schedule.includes('TZ') ? [invalid(path, schedule, inSchedule)] : []),
  ];
}

/** `TZ=Asia/Tokyo 0 0 * * *`: the zone is refused elsewhere; the rest must still be a schedule. */
function zonedMistake(schedule: string): string | undefined {
  const zoned = /^(?:CRON_)?TZ=\S* (.*)$/s.exec(schedule);
  try {
    parseSchedule(zoned === null ? schedule : (zoned[1] ?? '').trim());
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

/** Source: kubernetes, pkg/apis/batch/validation, validateTimeZone. */
function timeZoneErrors(cronJob: KubeObject): FieldError[] {
  const [path, zone] = ['spec.timeZone', own(specOf(cronJob), 'timeZone')];
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    return [
      invalid(
        path,
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ];
  return isTimeZone(zone) ? [] : [invalid(path, zone, `unknown time zone ${zone}`)];
}

function isTimeZone(zone: string): boolean {
  const areNames = zone
    .split('/')
    .every((part) => /^(?!-)[A-Za-z.\-_0-9+]{1,14}$/.test(part) && !/^\.\.?$/.test(part));
  if (!areNames || /^[+-]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
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

/** A plain object: no controller creates its jobs, unless workloads are simulated. */
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
      column('Schedule', '.spec.schedule', { description: 'When jobs are created.' }),
      column('Timezone', '', {
        read: (cronJob) => ownString(specOf(cronJob), 'timeZone') ?? '<none>',
        description: 'The time zone of the schedule.',
      }),
      column('Suspend', '.spec.suspend', { type: 'boolean', description: 'Whether it is suspended.' }),
      column('Active', '', {
        type: 'integer',
        read: (cronJob) => (ownList(statusOf(cronJob), 'active') ?? []).length,
        description: 'The number of active jobs.',
      }),
      column('Last Schedule', '.status.lastScheduleTime', {
        type: 'date',
        description: 'When the last job was created.',
      }),
      ageColumn,
    ],
  }),
};

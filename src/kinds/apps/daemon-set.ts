import {
  ensureMetadata,
  equal,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { aboveAllErrors, countIn, countOrPercentErrors } from '../rules/count-or-percent.ts';
import { surgeFields, unknownStrategy } from './unknown-strategy.ts';
import { specOf } from '../rules/workload.ts';
import { statusCount } from '../definition/workload-columns.ts';
import { workloadKind } from './workload-kind.ts';

/** Source: kubernetes, pkg/apis/apps/validation, ValidateDaemonSetUpdateStrategy. */
function strategyErrors(daemonSet: KubeObject): FieldError[] {
  const strategy = ownObject(specOf(daemonSet), 'updateStrategy') ?? {};
  const path = 'spec.updateStrategy';
  const type = own(strategy, 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [unknownStrategy(path, strategy, { types: ['RollingUpdate', 'OnDelete'], fields: surgeFields })];
  return rollingErrors(`${path}.rollingUpdate`, ownObject(strategy, 'rollingUpdate') ?? {});
}

function rollingErrors(path: string, update: JsonObject): FieldError[] {
  const fields = ['maxUnavailable', 'maxSurge'];
  const [unavailable, surge] = fields.map((field) => countIn(own(update, field)));
  const both = 'may not be set when maxUnavailable is non-zero';
  return [
    ...fields.flatMap((field) => countOrPercentErrors(`${path}.${field}`, own(update, field))),
    ...fields.flatMap((field) => aboveAllErrors(`${path}.${field}`, own(update, field))),
    ...(unavailable !== 0 && surge !== 0 ? [invalid(`${path}.maxSurge`, own(update, 'maxSurge'), both)] : []),
    ...(unavailable === 0 && surge === 0
      ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
      : []),
  ];
}

const templateCount = 'deprecated.daemonset.template.generation';

/** The number of the template is an annotation today; it was a field in older versions. */
function countTemplates(daemonSet: KubeObject, old: KubeObject | undefined): void {
  const metadata = ensureMetadata(daemonSet);
  const before = old === undefined ? 0 : Number(annotationsOf(old)[templateCount] ?? 0);
  const isSame = old !== undefined && equal(own(specOf(daemonSet), 'template'), own(specOf(old), 'template'));
  const count = isSame ? before : before + 1;
  metadata['annotations'] = { ...annotationsOf(daemonSet), [templateCount]: String(count) };
}

const annotationsOf = (object: KubeObject): JsonObject => ownObject(metadataOf(object), 'annotations') ?? {};

export const daemonSetKind = workloadKind({
  kind: 'DaemonSet',
  resource: 'daemonsets',
  shortNames: ['ds'],
  selector: { calledInTexts: 'daemonset', isRequired: false, unreadable: undefined },
  templateOf: 'DaemonSet',
  statusCounts: {
    all: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
    ],
  },
  rules: [strategyErrors],
  mark: countTemplates,
  scales: false,
  counts: { last: ['minReadySeconds', 'revisionHistoryLimit'] },
  rollingUpdate: { field: 'updateStrategy', defaults: { maxUnavailable: 1, maxSurge: 0 } },
  firstStatus: {
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  },
  columns: [
    statusCount('Desired', 'desiredNumberScheduled', 'How many nodes shall run the pod.'),
    statusCount('Current', 'currentNumberScheduled', 'How many nodes run the pod.'),
    statusCount('Ready', 'numberReady', 'On how many nodes it is ready.'),
    statusCount('Up-to-date', 'updatedNumberScheduled', 'How many nodes run the template of now.'),
    statusCount('Available', 'numberAvailable', 'On how many nodes it has been ready for long enough.'),
  ],
});

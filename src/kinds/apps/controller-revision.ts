import {
  type FieldError,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownList,
  parseGroupVersion,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/apps/validation. */
const rules: readonly KindRule[] = [
  { path: 'data', immutable: true },
  { path: 'revision', min: 0 },
];

function validateNew(revision: KubeObject): FieldError[] {
  const data = own(revision, 'data') ?? null;
  if (data === null) return [required('data', 'data is mandatory')];
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

/** `statefulset.apps/web` */
function controllerCell(revision: KubeObject): string {
  const owners: JsonObject[] = (ownList(metadataOf(revision), 'ownerReferences') ?? []).filter(isObject);
  const controller = owners.find((owner) => own(owner, 'controller') === true);
  if (controller === undefined) return '<none>';
  const { group = '' } = parseGroupVersion(textAt(controller, 'apiVersion')) ?? {};
  const kind = textAt(controller, 'kind').toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${textAt(controller, 'name')}`;
}

/** ControllerRevision objects have no effect: nothing is rolled back. */
export const controllerRevisionKind: BuiltInKind = {
  strategy: ruledStrategy({ rules, validateNew }),
  type: builtInType({
    group: 'apps',
    version: 'v1',
    kind: 'ControllerRevision',
    resource: 'controllerrevisions',
    namespaced: true,
    columns: [
      column('Controller', '', { read: controllerCell, description: 'The controller of the revision.' }),
      column('Revision', '.revision', { description: 'The number of the revision.' }),
      ageColumn,
    ],
  }),
};

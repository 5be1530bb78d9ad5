import {
  equal,
  type FieldError,
  invalid,
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
import { notNegativeAt, textAt } from '../rules/field-checks.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/apps/validation. */
function validateNew(revision: KubeObject): FieldError[] {
  const data = own(revision, 'data') ?? null;
  if (data === null) return [required('data', 'data is mandatory')];
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

function validateChange(revision: KubeObject, old: KubeObject): FieldError[] {
  const data = own(revision, 'data') ?? null;
  return equal(data, own(old, 'data') ?? null) ? [] : [invalid('data', data, 'field is immutable')];
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

/** Nobody rolls anything back. */
export const controllerRevisionKind: BuiltInKind = {
  strategy: ruledStrategy({
    validate: (revision) =>
      notNegativeAt('', revision, 'revision').map((error) => ({ ...error, field: 'revision' })),
    validateNew,
    validateChange,
  }),
  type: builtInType({
    group: 'apps',
    version: 'v1',
    kind: 'ControllerRevision',
    resource: 'controllerrevisions',
    namespaced: true,
    columns: [
      column('Controller', '', { read: controllerCell, description: 'Whose state it is.' }),
      column('Revision', '.revision', { description: 'Which one it is.' }),
      ageColumn,
    ],
  }),
};

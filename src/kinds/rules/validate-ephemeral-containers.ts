import {
  duplicate,
  type FieldError,
  forbidden,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
} from '../../meta/index.ts';
import { eachIn, textAt } from './field-checks.ts';
import { containerErrors } from './validate-container.ts';
import type { Volumes } from './validate-pod-volumes.ts';

/** In the order of the Go type. Source: kubernetes, pkg/apis/core/validation, allowedEphemeralContainerFields. */
const forbiddenFields = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];
const notSettable = 'cannot be set for an Ephemeral Container';

/** The containers that a user adds to a running pod. Source: kubernetes, validateEphemeralContainers. */
export function ephemeralContainersErrors(path: string, spec: JsonObject, volumes: Volumes): FieldError[] {
  const others = new Set(['containers', 'initContainers'].flatMap((list) => namesIn(spec, list)));
  const names = new Set(others);
  return eachIn(path, spec, 'ephemeralContainers', (container, at) => {
    const [name, target] = [textAt(container, 'name'), textAt(container, 'targetContainerName')];
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...containerErrors(container, at, volumes),
      ...(isTaken ? [duplicate(`${at}.name`, name)] : []),
      ...(target === '' || others.has(target) ? [] : [targetNotFound(`${at}.targetContainerName`, target)]),
      ...forbiddenFields
        .filter((field) => isSet(container, field))
        .map((field) => forbidden(`${at}.${field}`, notSettable)),
      ...subPathErrors(container, at),
    ];
  });
}

function namesIn(spec: JsonObject, list: string): string[] {
  return (ownList(spec, list) ?? []).filter(isObject).map((container) => textAt(container, 'name'));
}

function targetNotFound(field: string, value: string): FieldError {
  return { type: 'FieldValueNotFound', field, value, detail: '' };
}

/** Every container has `resources`, empty where nothing was said. */
function isSet(container: JsonObject, field: string): boolean {
  const value = own(container, field);
  if (field !== 'resources') return value !== undefined && value !== null;
  return Object.keys(ownObject(container, field) ?? {}).length > 0;
}

function subPathErrors(container: JsonObject, path: string): FieldError[] {
  return eachIn(path, container, 'volumeMounts', (mount, at) =>
    ['subPath', 'subPathExpr']
      .filter((field) => textAt(mount, field) !== '')
      .map((field) => forbidden(`${at}.${field}`, notSettable)),
  );
}

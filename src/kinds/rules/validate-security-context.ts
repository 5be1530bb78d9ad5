import { type FieldError, invalid, type JsonObject, own, ownObject, required } from '../../meta/index.ts';
import { eachIn, numberAt, oneOf, supported, textAt, within } from './field-checks.ts';

/** Who a pod and its containers are to their host. Source: kubernetes, pkg/apis/core/validation. */

const idMax = 2_147_483_647;

function idErrors(context: JsonObject, path: string, ...fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => {
    const id = numberAt(context, field);
    return id === undefined ? [] : within(`${path}.${field}`, id, 0, idMax);
  });
}

function seccompErrors(context: JsonObject, path: string): FieldError[] {
  const profile = ownObject(context, 'seccompProfile');
  if (profile === undefined) return [];
  const [type, file] = [textAt(profile, 'type'), textAt(profile, 'localhostProfile')];
  const where = `${path}.seccompProfile`;
  const isLocal = type === 'Localhost';
  return [
    ...oneOf(`${where}.type`, type, ['Localhost', 'RuntimeDefault', 'Unconfined']),
    ...(isLocal && file === ''
      ? [required(`${where}.localhostProfile`, 'must be set when seccomp type is Localhost')]
      : []),
    ...(!isLocal && file !== ''
      ? [invalid(`${where}.localhostProfile`, file, 'can only be set when seccomp type is Localhost')]
      : []),
  ];
}

const sysctlForm = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlText =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctlCharsMax = 253;

export function podSecurityErrors(context: JsonObject, path: string): FieldError[] {
  return [
    ...idErrors(context, path, 'fsGroup', 'runAsUser', 'runAsGroup'),
    ...eachIn(path, context, 'sysctls', (sysctl, at) => {
      const name = textAt(sysctl, 'name');
      if (name === '') return [required(`${at}.name`)];
      const isSound = name.length <= sysctlCharsMax && sysctlForm.test(name);
      return isSound ? [] : [invalid(`${at}.name`, name, sysctlText)];
    }),
    ...supported(`${path}.fsGroupChangePolicy`, own(context, 'fsGroupChangePolicy'), [
      'Always',
      'OnRootMismatch',
    ]),
    ...seccompErrors(context, path),
  ];
}

export function containerSecurityErrors(context: JsonObject, path: string): FieldError[] {
  const isPrivileged = own(context, 'privileged') === true;
  const both = 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true';
  const isContradiction = isPrivileged && own(context, 'allowPrivilegeEscalation') === false;
  return [
    ...idErrors(context, path, 'runAsUser', 'runAsGroup'),
    ...supported(`${path}.procMount`, own(context, 'procMount'), ['Default', 'Unmasked']),
    ...(own(context, 'procMount') === 'Unmasked'
      ? [invalid(`${path}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
      : []),
    ...seccompErrors(context, path),
    ...(isContradiction ? [invalid(path, context, both)] : []),
  ];
}

import { checkDns1035Label, type FieldError, FieldPath, invalid } from '../../meta/index.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import { deprecationErrors } from './deprecation.ts';
import type { HoistedVersion } from './hoisted-spec.ts';
import { versionsText } from './internal-versions.ts';
import { columnErrors } from './printer-columns.ts';
import { schemaErrors } from './schemas.ts';
import { sharedSelectableFieldErrors, versionSelectableFieldErrors } from './selectable-fields.ts';
import { subresourceErrors } from './subresources.ts';

const versionsPath = FieldPath.of('spec', 'versions');

/** The fields that only one version has, for each version. */
export const versionsRule: CrdRule = (check) =>
  check.spec.versions.flatMap((version) => versionErrors(version, check));

function versionErrors(version: HoistedVersion, check: CrdCheck): FieldError[] {
  const wrongName = checkDns1035Label(version.name);
  return [
    ...(wrongName.length === 0
      ? []
      : [invalid(version.path.child('name'), version.name, wrongName.join(','))]),
    ...deprecationErrors(version),
    ...schemaErrors(version, check, { version: version.name, statusEnabled: version.statusEnabled }),
    ...subresourceErrors(version),
    ...columnErrors(version),
    ...versionSelectableFieldErrors(version, check),
  ];
}

/** Version names must be unique, and exactly one version must be the storage version. */
export const versionListRule: CrdRule = ({ spec }) => {
  const errors: FieldError[] = [];
  const names = spec.versions.map((version) => version.name);
  const fail = (detail: string) =>
    errors.push({
      ...invalid(versionsPath, spec.raw['versions'], detail),
      valueText: versionsText(spec),
    });
  if (new Set(names).size < names.length) fail('must contain unique version names');
  if (spec.versions.filter(({ raw }) => raw['storage'] === true).length !== 1) {
    fail('must have exactly one version marked as storage version');
  }
  return errors;
};

/** Upstream copies the first version's name to a v1beta1 field and validates it there again. */
export const firstVersionRule: CrdRule = ({ spec }) => {
  const name = spec.versions[0]?.name ?? '';
  const wrong = name === '' ? [] : checkDns1035Label(name);
  return wrong.length === 0 ? [] : [invalid(FieldPath.of('spec', 'version'), name, wrong.join(','))];
};

/** The schema, subresources, columns and selectable fields that all versions share. */
export const sharedPartsRule: CrdRule = (check) => {
  const { top, versions } = check.spec;
  return [
    ...schemaErrors(top, check, {
      version: versions[0]?.name ?? '',
      statusEnabled: versions.some((version) => version.statusEnabled),
    }),
    ...subresourceErrors(top),
    ...columnErrors(top),
    ...sharedSelectableFieldErrors(check),
  ];
};

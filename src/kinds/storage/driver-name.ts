import { checkDnsSubdomain, type FieldError, required, tooLong } from '../../meta/index.ts';
import { invalidAs } from '../rules/field-checks.ts';

const driverNameMax = 63;

/** Mistakes in the name of a CSI driver, which must be there. Source: kubernetes, pkg/apis/core/validation. */
export function driverNameErrors(path: string, name: string): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(name.length > driverNameMax ? [tooLong(path, driverNameMax)] : []),
    ...invalidAs(path, name, () => checkDnsSubdomain(name.toLowerCase())),
  ];
}

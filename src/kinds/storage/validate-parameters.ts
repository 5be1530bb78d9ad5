import {
  checkLabelKey,
  type FieldError,
  invalid,
  type KubeObject,
  own,
  stringMap,
  tooLong,
} from '../../meta/index.ts';
import { requiredAs, textAt } from '../rules/field-checks.ts';

/** Rules of StorageClasses and VolumeAttributesClasses. Source: kubernetes, pkg/apis/storage/validation. */

const parametersMax = 512;
const parametersBytesMax = 256 * 1024;

/** The name of a driver: a qualified name in any case. */
export function driverNameErrors(field: string, object: KubeObject): FieldError[] {
  return requiredAs(field, textAt(object, field).toLowerCase(), checkLabelKey);
}

/** The parameters of a driver, at `parameters`. */
export function parametersErrors(object: KubeObject): FieldError[] {
  const parameters = stringMap(own(object, 'parameters'));
  if (parameters.size > parametersMax) return [tooLong('parameters', parametersMax)];
  const bytes = [...parameters].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    ...(parameters.has('') ? [invalid('parameters', '', 'field can not be empty.')] : []),
    ...(bytes > parametersBytesMax ? [tooLong('parameters', parametersBytesMax)] : []),
  ];
}

import {
  checkLabelKey,
  checkLabelValue,
  FieldPath,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  labelErrors,
  own,
  ownList,
  ownObject,
  required,
  stringList,
  stringMap,
} from '../../meta/index.ts';
import { eachIn, invalidAs, textAt } from './field-checks.ts';

/** Mistakes in a map of labels, all of them at the map. */
export function labelsErrors(path: string, labels: JsonObject | undefined): FieldError[] {
  if (labels === undefined) return [];
  return labelErrors(FieldPath.of(path), stringMap(labels));
}

/** Mistakes in a label selector. Source: apimachinery, pkg/apis/meta/v1/validation. */
export function labelSelectorErrors(path: string, selector: JsonObject | undefined): FieldError[] {
  if (selector === undefined) return [];
  return [
    ...labelsErrors(`${path}.matchLabels`, ownObject(selector, 'matchLabels')),
    ...eachIn(path, selector, 'matchExpressions', requirementErrors),
  ];
}

function requirementErrors(requirement: JsonObject, path: string): FieldError[] {
  const key = textAt(requirement, 'key');
  const values = stringList(own(requirement, 'values'));
  return [
    ...operatorErrors(requirement, path),
    ...invalidAs(`${path}.key`, key, checkLabelKey),
    ...values.flatMap((value, index) => invalidAs(`${path}.values[${index}]`, value, checkLabelValue)),
  ];
}

function operatorErrors(requirement: JsonObject, path: string): FieldError[] {
  const operator = textAt(requirement, 'operator');
  const count = (ownList(requirement, 'values') ?? []).length;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (count === 0) return [];
      return [
        forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

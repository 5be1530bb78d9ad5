import {
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  own,
  ownList,
  required,
  stringList,
} from '../../meta/index.ts';
import { eachIn, invalidAs, textAt } from './field-checks.ts';

/** Which nodes may be, by their labels and fields. Source: kubernetes, pkg/apis/core/validation. */
export function nodeSelectorErrors(path: string, selector: JsonObject): FieldError[] {
  if ((ownList(selector, 'nodeSelectorTerms') ?? []).length === 0) {
    return [required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term')];
  }
  return eachIn(path, selector, 'nodeSelectorTerms', nodeSelectorTermErrors);
}

export function nodeSelectorTermErrors(term: JsonObject, path: string): FieldError[] {
  return [
    ...eachIn(path, term, 'matchExpressions', labelRequirementErrors),
    ...eachIn(path, term, 'matchFields', fieldRequirementErrors),
  ];
}

function labelRequirementErrors(requirement: JsonObject, path: string): FieldError[] {
  return [
    ...operatorErrors(requirement, path),
    ...invalidAs(`${path}.key`, textAt(requirement, 'key'), checkLabelKey),
    ...valuesOf(requirement).flatMap((value, index) =>
      invalidAs(`${path}.values[${index}]`, value, checkLabelValue),
    ),
  ];
}

const valuesOf = (requirement: JsonObject) => stringList(own(requirement, 'values'));

function operatorErrors(requirement: JsonObject, path: string): FieldError[] {
  const [operator, count] = [textAt(requirement, 'operator'), valuesOf(requirement).length];
  const where = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(where, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (count === 0) return [];
      return [forbidden(where, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      if (count === 1) return [];
      return [required(where, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** The name is the only selectable field of a node. */
function fieldRequirementErrors(requirement: JsonObject, path: string): FieldError[] {
  const [operator, key] = [textAt(requirement, 'operator'), textAt(requirement, 'key')];
  const values = valuesOf(requirement);
  const isKnown = operator === 'In' || operator === 'NotIn';
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...(isKnown && values.length !== 1 ? [required(`${path}.values`, one)] : []),
    ...(isKnown ? [] : [invalid(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => invalidAs(`${path}.values[${index}]`, value, checkDnsSubdomain))
      : [invalid(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}

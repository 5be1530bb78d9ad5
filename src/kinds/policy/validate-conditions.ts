import {
  checkLabelKey,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  own,
  required,
} from '../../meta/index.ts';
import { eachIn, numberAt, requiredAs, supported, textAt } from '../rules/field-checks.ts';

const statuses = ['False', 'True', 'Unknown'];
const reasonForm = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const reasonText =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', " +
  "and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or " +
  "'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/** What `metav1.Condition`s are held to. Source: apimachinery, pkg/apis/meta/v1/validation. */
export function conditionsErrors(path: string, status: JsonObject): FieldError[] {
  const types = new Set<string>();
  return eachIn(path, status, 'conditions', (condition, at) => {
    const type = textAt(condition, 'type');
    const isTwin = types.has(type);
    types.add(type);
    return [
      ...(isTwin ? [duplicate(`${at}.type`, type)] : []),
      ...requiredAs(`${at}.type`, type, checkLabelKey),
      ...supported(`${at}.status`, textAt(condition, 'status'), statuses),
      ...generationErrors(condition, at),
      ...(own(condition, 'lastTransitionTime') === null ? [required(`${at}.lastTransitionTime`)] : []),
      ...requiredAs(`${at}.reason`, textAt(condition, 'reason'), (reason) =>
        reasonForm.test(reason) ? [] : [reasonText],
      ),
    ];
  });
}

function generationErrors(condition: JsonObject, path: string): FieldError[] {
  const generation = numberAt(condition, 'observedGeneration') ?? 0;
  if (generation >= 0) return [];
  return [invalid(`${path}.observedGeneration`, generation, 'must be greater than or equal to zero')];
}

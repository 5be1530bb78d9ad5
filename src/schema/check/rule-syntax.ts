import {
  type FieldError,
  type FieldPath,
  invalid,
  isObject,
  type JsonObject,
  notSupported,
  required,
} from '../../meta/index.ts';
import { conversionProblem } from './conversion-problem.ts';
import { isRuleFieldPath } from './rule-field-path.ts';
import { type SchemaDocument, textOf } from './schema-document.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** Validates `x-kubernetes-validations`, except the expressions themselves. */
export function ruleErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const rules = schema['x-kubernetes-validations'];
  if (!Array.isArray(rules)) return [];
  return rules.filter(isObject).flatMap((rule, index) => {
    const at = path.child('x-kubernetes-validations').index(index);
    return [
      ...messageErrors(rule, at),
      ...messageExpressionErrors(rule, at),
      ...reasonErrors(rule, at),
      ...fieldPathErrors(rule, at, schema),
    ];
  });
}

function messageErrors(rule: JsonObject, at: FieldPath): FieldError[] {
  const text = textOf(rule, 'rule').trim();
  const message = textOf(rule, 'message');
  if (text === '') return [required(at.child('rule'), 'rule is not specified')];
  if (message !== '' && message.trim() === '') {
    return [invalid(at.child('message'), message, 'must be non-empty if specified')];
  }
  if (lineBreak.test(message.trim()))
    return [invalid(at.child('message'), message, 'must not contain line breaks')];
  if (lineBreak.test(text) && message === '') {
    return [required(at.child('message'), 'message must be specified if rule contains line breaks')];
  }
  return [];
}

function messageExpressionErrors(rule: JsonObject, at: FieldPath): FieldError[] {
  const expression = textOf(rule, 'messageExpression');
  if (expression === '' || expression.trim() !== '') return [];
  return [required(at.child('messageExpression'), 'messageExpression must be non-empty if specified')];
}

function reasonErrors(rule: JsonObject, at: FieldPath): FieldError[] {
  const reason = rule['reason'] ?? null;
  if (reason === null || (typeof reason === 'string' && reasons.includes(reason))) return [];
  return [notSupported(at.child('reason'), reason, reasons)];
}

function fieldPathErrors(rule: JsonObject, at: FieldPath, schema: SchemaDocument): FieldError[] {
  const fieldPath = textOf(rule, 'fieldPath');
  if (fieldPath === '') return [];
  const texts: string[] = [];
  if (fieldPath.trim() === '') texts.push('must be non-empty if specified');
  if (lineBreak.test(fieldPath)) texts.push('must not contain line breaks');
  if (conversionProblem(schema) === undefined && !isRuleFieldPath(fieldPath, schema))
    texts.push('must be a valid path');
  return texts.map((text) => invalid(at.child('fieldPath'), fieldPath, text));
}

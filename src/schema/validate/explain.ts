import {
  goJson,
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  withoutFloat64,
} from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Correlation } from './correlation.ts';
import { matchesEnum } from './enum-match.ts';
import { explainBranches } from './explain-branches.ts';
import { explainKeys } from './explain-keys.ts';
import type { Findings } from './findings.ts';
import { typeMismatch } from './json-type.ts';
import { numberProblems } from './number-rules.ts';
import { runeCount } from './rune-count.ts';
import { hasDuplicates } from './unique-items.ts';
import type { Visit } from './visit.ts';

/**
 * Finds all errors of a value, with upstream's messages and order; where upstream iterates over a Go map in random
 * order, in the order of declaration. Only called for invalid values.
 *
 * An update tolerates unchanged errors (KEP-4008).
 *
 * Source of order and texts: k8s.io/kube-openapi/pkg/validation.
 */
export function explain(visit: Visit, findings: Findings): void {
  const before = findings.size;
  if (visit.value === null) explainNull(visit, findings);
  else explainValue(visit, visit.value, findings);
  if (findings.size > before && visit.correlation?.isUnchanged) findings.forgetSince(before);
}

function explainNull(visit: Visit, findings: Findings): void {
  if (explainType(visit, findings)) findings.matches += 1;
  explainEnum(visit, findings);
}

function explainValue(visit: Visit, value: NonNullable<JsonValue>, findings: Findings): void {
  const { node } = visit;
  // One for the value and one for its enum; others are counted by their checks.
  findings.matches += 2;
  if (node.types.length > 0 || node.format !== '') findings.matches += explainType(visit, findings) ? 2 : 1;
  explainBranches(visit, findings, explain);
  if (typeof value === 'string') explainString(visit, value, findings);
  const number = withoutFloat64(value);
  if (typeof number === 'number' || typeof number === 'bigint') explainNumber(visit, number, findings);
  if (Array.isArray(value)) explainList(visit, value, findings);
  explainEnum(visit, findings);
  if (isObject(value)) explainObject(visit, value, findings);
}

function explainType({ node, value, path }: Visit, findings: Findings): boolean {
  if (node.intOrString && findings.takesAnyForIntOrString) return true;
  const mismatch = typeMismatch(node, value);
  if (mismatch === undefined) return true;
  const { expected, actual } = mismatch;
  const text = `${path} in body must be of type ${expected}: ${goQuote(actual)}`;
  findings.addText(path, actual, text, 'FieldValueTypeInvalid');
  return false;
}

function explainString({ node, path }: Visit, value: string, findings: Findings): void {
  findings.matches += 1;
  explainStringRules(node, path, value, findings);
  if (node.acceptsFormat === undefined) return;
  findings.matches += 1;
  if (node.acceptsFormat(value)) return;
  const text = `${path} in body must be of type ${node.format}: ${goQuote(value)}`;
  findings.addText(path, value, text, 'FieldValueTypeInvalid');
}

/** Only the first failing check is reported. */
function explainStringRules(node: SchemaNode, path: string, value: string, findings: Findings): void {
  const { maxLength, minLength, pattern } = node;
  if (maxLength !== undefined && runeCount(value) > maxLength) {
    const text = `${path} in body should be at most ${maxLength} chars long`;
    // The limit counts characters; the message is upstream's.
    const detail = `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
    findings.add({ type: 'FieldValueTooLong', at: path, detail, text });
  } else if (minLength !== undefined && runeCount(value) < minLength) {
    findings.addText(path, value, `${path} in body should be at least ${minLength} chars long`);
  } else if (pattern !== undefined && !pattern.test(value)) {
    const why = pattern.error === undefined ? '' : `, but pattern is invalid: ${pattern.error}`;
    findings.addText(path, value, `${path} in body should match '${pattern.source}${why}'`);
  }
}

function explainNumber({ node, path }: Visit, value: number | bigint, findings: Findings): void {
  findings.matches += 2;
  for (const problem of numberProblems(node, value)) {
    if (problem.shown === undefined) findings.addRootText(problem.text(path));
    else findings.addNumber(path, problem.shown, problem.text(path));
  }
}

function explainList({ node, path, correlation }: Visit, list: JsonValue[], findings: Findings): void {
  findings.matches += 2;
  const { items, minItems, maxItems } = node;
  for (let index = 0; items !== undefined && index < list.length && !findings.isFull; index += 1) {
    const child = { node: items, value: list[index] ?? null, path: `${path}[${index}]` };
    explain({ ...child, correlation: correlation?.index(index) }, findings);
  }
  if (minItems !== undefined && list.length < minItems) {
    findings.addText(path, list.length, `${path} in body should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && list.length > maxItems) {
    addTooMany(findings, path, { count: list.length, max: maxItems, what: 'items' });
  }
  if (node.uniqueItems && hasDuplicates(list)) {
    findings.addText(path, '', `${path} in body shouldn't contain duplicates`);
  }
}

function addTooMany(
  findings: Findings,
  path: string,
  { count, max, what }: { count: number; max: number; what: string },
): void {
  const text = `${path} in body should have at most ${max} ${what}`;
  const detail = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
  findings.add({ type: 'FieldValueTooMany', at: path, value: count, detail, text });
}

function explainEnum({ node, value, path }: Visit, findings: Findings): void {
  if (node.enum.length === 0 || matchesEnum(value, node.enum)) return;
  const shown = node.enum.map((item) => goQuote(typeof item === 'string' ? item : goJson(item))).join(', ');
  findings.add({
    type: 'FieldValueNotSupported',
    at: path,
    value,
    detail: `supported values: ${shown}`,
    text: `${path} in body should be one of ${shown}`,
  });
}

function explainObject(visit: Visit, object: JsonObject, findings: Findings): void {
  const { node, path } = visit;
  findings.matches += 1;
  const size = Object.keys(object).length;
  if (node.minProperties !== undefined && size < node.minProperties) {
    findings.addText(path, size, `${path} in body should have at least ${node.minProperties} properties`);
  }
  if (node.maxProperties !== undefined && size > node.maxProperties) {
    addTooMany(findings, path, { count: size, max: node.maxProperties, what: 'properties' });
  }
  explainKeys(visit, object, { findings, explain });
  explainOtherEntries(visit, object, findings);
  explainProperties(visit, object, findings);
  for (const name of node.required) {
    if (Object.hasOwn(object, name)) continue;
    const at = `${path}.${name}`;
    findings.add({ type: 'FieldValueRequired', at, detail: '', text: `${at} in body is required` });
  }
}

function explainOtherEntries(visit: Visit, object: JsonObject, findings: Findings): void {
  const { node, path, correlation } = visit;
  if (node.additionalProperties === undefined && !node.forbidsOtherKeys) return;
  for (const [name, value] of Object.entries(object)) {
    if (findings.isFull) return;
    if (node.properties.has(name)) continue;
    if (node.additionalProperties === undefined) {
      findings.addText(path, name, `${path}.${name} in body is a forbidden property`);
      continue;
    }
    const child = { node: node.additionalProperties, value, path: `${path}.${name}` };
    explain({ ...child, correlation: childCorrelation(path, name, correlation) }, findings);
  }
}

function explainProperties(visit: Visit, object: JsonObject, findings: Findings): void {
  const { node, path, correlation } = visit;
  for (const [name, property] of node.properties) {
    if (findings.isFull || !Object.hasOwn(object, name)) continue;
    const child = {
      node: property,
      value: object[name] ?? null,
      path: path === '' ? name : `${path}.${name}`,
    };
    explain({ ...child, correlation: childCorrelation(path, name, correlation) }, findings);
  }
}

/** `apiVersion` and `kind` always seem unchanged, because both objects were converted: they are always checked. */
function childCorrelation(
  path: string,
  name: string,
  correlation: Correlation | undefined,
): Correlation | undefined {
  if (path === '' && (name === 'apiVersion' || name === 'kind')) return undefined;
  return correlation?.key(name);
}

import {
  equal,
  type FieldError,
  type FieldPath,
  fieldErrorText,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  required,
} from '../../meta/index.ts';
import { gatesAskedFor } from '../field-gates/gated-rule-text.ts';
import { enumGatesKeyword } from '../field-gates/resolve-schema.ts';
import { objectsOf, schemaOf, textOf } from '../spec-view.ts';
import { schemasInside } from '../schema-walk.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import type { HoistedSpec } from './hoisted-spec.ts';

const rulesKeyword = 'x-kubernetes-validations';

/**
 * Gates in schemas: on rules, on enum values, and in rules that ask for them. An extension of Ilk, not part of the
 * KEP.
 */
export const gatedSchemasRule: CrdRule = ({ spec, oldSpec }: CrdCheck) => {
  const errors = gateUses(spec);
  if (errors.length === 0 || oldSpec === undefined) return errors;
  const stored = new Set(gateUses(oldSpec).map(fieldErrorText));
  return errors.filter((error) => !stored.has(fieldErrorText(error)));
};

/** The gates that the schemas of a spec refer to. */
export function gatesInSchemas(spec: HoistedSpec): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (schema: JsonObject) => {
    for (const name of namesIn(schema)) names.add(name);
    for (const child of schemasInside(schema)) visit(child);
  };
  for (const { schema } of schemasOf(spec)) visit(schema);
  return names;
}

function namesIn(schema: JsonObject): string[] {
  const rules = objectsOf(schema, rulesKeyword);
  return [
    ...[...rules, ...objectsOf(schema, enumGatesKeyword)].map((one) => textOf(one, 'featureGate')),
    ...rules.flatMap((rule) =>
      ['rule', 'messageExpression'].flatMap((field) => gatesAskedFor(textOf(rule, field))),
    ),
  ];
}

function schemasOf(spec: HoistedSpec): { readonly schema: JsonObject; readonly path: FieldPath }[] {
  return [spec.top, ...spec.versions].flatMap(({ schema: holder, schemaPath }) => {
    const schema = holder === undefined ? undefined : schemaOf({ schema: holder });
    return schema === undefined ? [] : [{ schema, path: schemaPath.child('openAPIV3Schema') }];
  });
}

function gateUses(spec: HoistedSpec): FieldError[] {
  const custom = ownObject(spec.raw, 'customFeatureGates') ?? {};
  const known = new Set(objectsOf(custom, 'featureGates').map((gate) => textOf(gate, 'name')));
  const errors: FieldError[] = [];
  for (const { schema, path } of schemasOf(spec))
    visitSchema(schema, path, { known, errors, isLogic: false });
  return errors;
}

interface Visit {
  readonly known: ReadonlySet<string>;
  readonly errors: FieldError[];
  /** True inside `allOf`, `anyOf`, `oneOf` or `not`. */
  readonly isLogic: boolean;
}

function visitSchema(schema: JsonObject, path: FieldPath, visit: Visit): void {
  visit.errors.push(...ruleErrors(schema, path, visit), ...enumErrors(schema, path, visit));
  for (const [name, child] of Object.entries(ownObject(schema, 'properties') ?? {})) {
    if (isObject(child)) visitSchema(child, path.child('properties').key(name), visit);
  }
  for (const field of ['items', 'additionalProperties', 'x-kubernetes-property-names']) {
    const child = own(schema, field);
    if (isObject(child)) visitSchema(child, path.child(field), visit);
  }
  for (const field of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, child] of objectsOf(schema, field).entries()) {
      visitSchema(child, path.child(field).index(index), { ...visit, isLogic: true });
    }
  }
  const not = own(schema, 'not');
  if (isObject(not)) visitSchema(not, path.child('not'), { ...visit, isLogic: true });
}

function unknownGate(at: FieldPath, name: string): FieldError {
  return invalid(at, name, 'must be the name of a feature gate of spec.customFeatureGates');
}

function ruleErrors(schema: JsonObject, path: FieldPath, { known }: Visit): FieldError[] {
  return objectsOf(schema, rulesKeyword).flatMap((rule, index) => {
    const at = path.child(rulesKeyword).index(index);
    const gate = textOf(rule, 'featureGate');
    const asked = ['rule', 'messageExpression'].flatMap((field) =>
      gatesAskedFor(textOf(rule, field))
        .filter((name) => !known.has(name))
        .map((name) => unknownGate(at.child(field), name)),
    );
    return gate === '' || known.has(gate) ? asked : [unknownGate(at.child('featureGate'), gate), ...asked];
  });
}

function enumErrors(schema: JsonObject, path: FieldPath, { known, isLogic }: Visit): FieldError[] {
  const base = path.child(enumGatesKeyword);
  const gates = objectsOf(schema, enumGatesKeyword);
  if (gates.length === 0) return [];
  if (isLogic) return [invalid(base, gates, 'must not be used inside of allOf, anyOf, oneOf and not')];
  const all = ownList(schema, 'enum') ?? [];
  const seen: JsonValue[] = [];
  return gates.flatMap((raw, index) => {
    const at = base.index(index);
    const gate = textOf(raw, 'featureGate');
    const values = ownList(raw, 'values') ?? [];
    const errors = gate === '' ? [required(at.child('featureGate'))] : [];
    if (gate !== '' && !known.has(gate)) errors.push(unknownGate(at.child('featureGate'), gate));
    if (values.length === 0) errors.push(required(at.child('values'), 'must have at least one value'));
    for (const [place, value] of values.entries()) {
      const problem = valueProblem(schema, all, seen, value);
      if (problem !== undefined) errors.push(invalid(at.child('values').index(place), value, problem));
      seen.push(value);
    }
    return errors;
  });
}

function valueProblem(
  schema: JsonObject,
  all: readonly JsonValue[],
  seen: readonly JsonValue[],
  value: JsonValue,
): string | undefined {
  const isValue = (other: JsonValue) => equal(other, value);
  if (!all.some(isValue)) return 'must be a value of enum';
  if (seen.some(isValue)) return 'must be under one feature gate only';
  return isValue(own(schema, 'default') ?? null) ? 'must not be the default' : undefined;
}

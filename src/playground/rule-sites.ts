import type { LoadedObject } from '../manifests/index.ts';
import {
  type FeatureGates,
  FieldPath,
  isObject,
  type JsonObject,
  type KubeObject,
  minCompatibilityVersion,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../meta/index.ts';
import {
  checkSchema,
  RuleEnvironments,
  ruleChecks,
  schemaCostLimit,
  expressionCostLimit,
} from '../schema/index.ts';

/** An expression and its position in a text of the case. */
export interface ExpressionSite {
  readonly loaded: LoadedObject;
  readonly owner: string;
  readonly field: string;
  /** Its path in the object. */
  readonly steps: readonly string[];
  readonly source: string;
  /** For a schema rule: see `RulePlace`. */
  readonly rule?: { readonly schema: string; readonly index: number; readonly field: string };
  /** Its estimated cost and the limit; see `PlaygroundExpression`. */
  readonly estimate?: { readonly cost: string; readonly limit: string };
}

/** A schema and its location in a CRD. */
interface SchemaPlace {
  readonly schema: JsonObject;
  /** As in `RulePlace`. */
  readonly name: string;
  readonly path: FieldPath;
  readonly steps: readonly string[];
}

/** The rules of the CRDs, with their estimated costs. */
export function ruleSites(crds: readonly LoadedObject[], gates: FeatureGates): ExpressionSite[] {
  return crds.flatMap((loaded) =>
    versionsOf(loaded.object).flatMap(({ schema, index }) => {
      const path = FieldPath.of('spec', 'versions').index(index).child('schema', 'openAPIV3Schema');
      const steps = ['spec', 'versions', String(index), 'schema', 'openAPIV3Schema'];
      const { costs } = estimates(schema, path, gates);
      return placesIn({ schema, name: 'selfType', path, steps }).flatMap((place) =>
        rulesAt(place, loaded, costs),
      );
    }),
  );
}

/** The total estimated cost of the rules in the first version's schema; undefined without rules that compile. */
export function estimateOf(
  crds: readonly LoadedObject[],
  gates: FeatureGates,
): { readonly cost: string; readonly limit: string } | undefined {
  const [version] = crds.flatMap(({ object }) => versionsOf(object));
  if (version === undefined) return undefined;
  const { costs } = estimates(version.schema, FieldPath.of('schema'), gates);
  if (costs.size === 0) return undefined;
  const cost = [...costs.values()].reduce((sum, one) => sum + one, 0n);
  return { cost: String(cost), limit: String(schemaCostLimit) };
}

function versionsOf(crd: KubeObject): { readonly schema: JsonObject; readonly index: number }[] {
  const versions = ownList(ownObject(crd, 'spec') ?? {}, 'versions') ?? [];
  return versions.flatMap((version, index) => {
    const schema = isObject(version)
      ? ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema')
      : undefined;
    return schema === undefined ? [] : [{ schema, index }];
  });
}

/** The costs of a schema's expressions by path; empty for an invalid schema. */
function estimates(schema: JsonObject, path: FieldPath, gates: FeatureGates) {
  const costs = new Map<string, bigint>();
  const storedExpressions = { rules: new Set<string>(), messages: new Set<string>() };
  const checks = ruleChecks(
    new RuleEnvironments(minCompatibilityVersion),
    gates,
  )({ costLimited: true, storedExpressions, onCost: (at, cost) => costs.set(at.toString(), cost) });
  checkSchema(schema, path, { ...checks, gates, statusEnabled: false });
  return { costs };
}

/** The schema and its descendants that may contain rules. */
function placesIn(place: SchemaPlace): SchemaPlace[] {
  const { schema, name, path, steps } = place;
  const below = (keyword: string, step: string): SchemaPlace[] => {
    const child = own(schema, keyword);
    if (!isObject(child)) return [];
    return placesIn({
      schema: child,
      name: `${name}.${step}`,
      path: path.child(keyword),
      steps: [...steps, keyword],
    });
  };
  const properties = Object.entries(ownObject(schema, 'properties') ?? {}).flatMap(([property, child]) =>
    isObject(child)
      ? placesIn({
          schema: child,
          name: `${name}.${property}`,
          path: path.child('properties').key(property),
          steps: [...steps, 'properties', property],
        })
      : [],
  );
  return [
    place,
    ...properties,
    ...below('items', '@idx'),
    ...below('additionalProperties', '@elem'),
    ...below('x-kubernetes-property-names', '@key'),
  ];
}

const expressionFields = ['rule', 'messageExpression'] as const;

function rulesAt(
  { schema, name, path, steps }: SchemaPlace,
  loaded: LoadedObject,
  costs: ReadonlyMap<string, bigint>,
): ExpressionSite[] {
  const keyword = 'x-kubernetes-validations';
  return (ownList(schema, keyword) ?? []).flatMap((rule, index) =>
    expressionFields.flatMap((field): ExpressionSite[] => {
      const source = isObject(rule) ? (ownString(rule, field) ?? '') : '';
      if (source === '') return [];
      const at = path.child(keyword).index(index).child(field).toString();
      const cost = costs.get(at);
      return [
        {
          loaded,
          owner: `CustomResourceDefinition ${nameOf(loaded.object)}`,
          field: at,
          steps: [...steps, keyword, String(index), field],
          source,
          rule: { schema: name, index, field },
          ...(cost === undefined
            ? {}
            : { estimate: { cost: String(cost), limit: String(expressionCostLimit) } }),
        },
      ];
    }),
  );
}

import { exactText, parseExactly } from '../api/exact-json.ts';
import { KindSchema, type Schema } from '../api/kind-schema.ts';
import { type KubeObject, member, type Json } from '../api/kube-object.ts';
import { collectionPath, objectPath } from '../api/paths.ts';
import { send } from '../api/request.ts';
import { definitionParts } from '../definition/definition-parts.ts';
import { SchemaTree } from '../definition/schema-tree.ts';
import { requiredText } from '../form/skeleton.ts';
import { yamlOf } from '../object/yaml-text.ts';
import { emptyCase, type PlaygroundCase } from './playground-case.ts';
import { definitionsRef } from './server-texts.ts';

/** Which rule of which field of a definition. */
interface RulePlace {
  /** `widgets.example.com` */
  readonly definition: string;
  readonly version: string;
  /** `.spec.ports[]`; empty for the object itself. */
  readonly field: string;
  readonly rule: number;
}

/** An address that opens the playground with a rule. */
export function ruleQuery({ definition, version, field, rule }: RulePlace): Readonly<Record<string, string>> {
  return { definition, version, field, rule: String(rule) };
}

/** The place in an address; undefined where it names none. */
export function rulePlaceIn(query: URLSearchParams): RulePlace | undefined {
  const text = (name: string) => query.get(name) ?? '';
  if (text('definition') === '' || text('rule') === '') return undefined;
  return {
    definition: text('definition'),
    version: text('version'),
    field: text('field'),
    rule: Number(text('rule')),
  };
}

/**
 * The rule with the schema of its field, and a value of the field from the first object that has one.
 *
 * @throws {Error} where the definition has no such rule
 */
export async function loadRule(place: RulePlace): Promise<PlaygroundCase> {
  const text = await (await send(objectPath(definitionsRef, '', place.definition))).text();
  const crd = parseExactly(text) as KubeObject;
  const version = definitionParts(crd).versions.find(({ name }) => name === place.version);
  const schema = version && schemaAt(new KindSchema({}, version.schema), place.field);
  const rules = schema?.['x-kubernetes-validations'] ?? [];
  const rule = rules[place.rule];
  if (schema === undefined || rule === undefined)
    throw new Error(`${place.definition} has no such rule any more`);
  const self: Schema = { ...schema, 'x-kubernetes-validations': [rule] };
  const root: Schema = { type: 'object', required: ['self'], properties: { self } };
  const value = version?.served === true ? await valueOfFirst(crd, place) : undefined;
  const object =
    value === undefined ? requiredText(new KindSchema({}, root)) : yamlOf(exactText({ self: value }));
  const isChange = /\boldSelf\b/.test(rule.rule ?? '');
  return {
    ...emptyCase,
    definition: yamlOf(exactText(root)),
    object,
    ...(isChange ? { oldObject: object } : {}),
  };
}

/** The schema of a field as a tree names it. */
function schemaAt(schema: KindSchema, path: string): Schema | undefined {
  if (path === '') return schema.root;
  const tree = new SchemaTree(schema);
  const isAbove = ({ path: above }: { readonly path: string }) => path.startsWith(above);
  const found = tree.rows(isAbove, isAbove).find((field) => path === field.path || innerPath(field) === path);
  return found === undefined || found.path === path ? found?.schema : found.inner;
}

function innerPath({ path, schema }: { readonly path: string; readonly schema: Schema }): string {
  return `${path}${schema.items === undefined ? '.*' : '[]'}`;
}

/** The value of a field of the first object that has it; none for those who may not list them. */
async function valueOfFirst(crd: KubeObject, { version, field }: RulePlace): Promise<Json | undefined> {
  const group = String(member(crd.spec, 'group') ?? '');
  const plural = String(member(member(crd.spec, 'names'), 'plural') ?? '');
  try {
    const text = await (await send(`${collectionPath({ group, version, plural })}?limit=50`)).text();
    const { items } = parseExactly(text) as { readonly items: readonly Json[] };
    return items.map((item) => valueAt(item, field)).find((value) => value !== undefined);
  } catch {
    return undefined;
  }
}

function valueAt(object: Json, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const [step] of path.matchAll(/\.\*|\[\]|\.[^.[]+/g)) {
    if (step === '[]') value = Array.isArray(value) ? value[0] : undefined;
    else if (step === '.*')
      value = typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
    else value = member(value, step.slice(1));
  }
  return value;
}

import { isObject, type JsonObject } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { type CompiledRule, compileRule, type EnvironmentFor, RuleVariables } from './compile-rule.ts';
import { placeOf, type RuleType, type RuleTypes, type TypePlace } from './rule-type.ts';

/** Shared by all nodes of a tree. */
export interface RuleTreeParts {
  readonly types: RuleTypes;
  readonly environments: EnvironmentFor;
  /** Whether a schema document contains rules at any depth. */
  readonly hasRules: (raw: JsonObject) => boolean;
}

/**
 * A schema with its rules, and its descendants that have rules. Created when a value first reaches it.
 *
 * `allOf` and the like are omitted: they must not contain rules.
 */
export class RuleNode {
  readonly node: SchemaNode;
  readonly type: RuleType | undefined;
  readonly #place: TypePlace;
  readonly #parts: RuleTreeParts;
  #rules: readonly CompiledRule[] | undefined;
  #properties: ReadonlyMap<string, RuleNode> | undefined;
  #items: RuleNode | null | undefined;
  #values: RuleNode | null | undefined;
  #keys: RuleNode | null | undefined;

  constructor(
    node: SchemaNode,
    place: TypePlace & { readonly type: RuleType | undefined },
    parts: RuleTreeParts,
  ) {
    this.node = node;
    this.type = place.type;
    this.#place = place;
    this.#parts = parts;
  }

  /** The name of the schema: `selfType.spec.@idx`. */
  get name(): string {
    return this.#place.name;
  }

  /** The rules; empty if the schema has no CEL type, see {@link type}. */
  get rules(): readonly CompiledRule[] {
    this.#rules ??= this.#compile();
    return this.#rules;
  }

  #compile(): readonly CompiledRule[] {
    if (this.type === undefined) return [];
    const variables = new RuleVariables(this.type.declared);
    return this.node.rules.map((rule) => compileRule(rule, variables, this.#parts.environments));
  }

  /** The properties with rules at any depth. Those invisible to rules are skipped. */
  get properties(): ReadonlyMap<string, RuleNode> {
    this.#properties ??= this.#findProperties();
    return this.#properties;
  }

  #findProperties(): ReadonlyMap<string, RuleNode> {
    const { types, hasRules } = this.#parts;
    const found = new Map<string, RuleNode>();
    for (const [name, child] of this.node.properties) {
      if (!hasRules(child.raw)) continue;
      const type = types.ofProperty(this.node, this.#place, name);
      const place = placeOf(child, `${this.#place.name}.${name}`);
      if (type !== undefined) found.set(name, new RuleNode(child, { ...place, type }, this.#parts));
    }
    return found;
  }

  get items(): RuleNode | undefined {
    this.#items ??= this.#below(this.node.items, '@idx') ?? null;
    return this.#items ?? undefined;
  }

  /** The values of a map. */
  get values(): RuleNode | undefined {
    this.#values ??= this.#below(this.node.additionalProperties, '@elem') ?? null;
    return this.#values ?? undefined;
  }

  /** The keys of a map (KEP-5667). */
  get keys(): RuleNode | undefined {
    const { propertyNames } = this.node;
    if (this.#keys === undefined) {
      const hasRules = propertyNames !== undefined && propertyNames.rules.length > 0;
      const place = { isResource: false, name: `${this.#place.name}.@key` };
      const typeOf = (node: SchemaNode) => this.#parts.types.ofKey(node);
      this.#keys = hasRules
        ? new RuleNode(propertyNames, { ...place, type: typeOf(propertyNames) }, this.#parts)
        : null;
    }
    return this.#keys ?? undefined;
  }

  #below(child: SchemaNode | undefined, step: string): RuleNode | undefined {
    if (child === undefined || !this.#parts.hasRules(child.raw)) return undefined;
    const place = placeOf(child, `${this.#place.name}.${step}`);
    return new RuleNode(child, { ...place, type: this.#parts.types.of(child, place) }, this.#parts);
  }
}

/** True if a schema has rules at any depth; visits each schema once. */
export function ruleFinder(): (raw: JsonObject) => boolean {
  const known = new Map<JsonObject, boolean>();
  const hasRules = (raw: JsonObject): boolean => {
    const before = known.get(raw);
    if (before !== undefined) return before;
    const rules = raw['x-kubernetes-validations'];
    const found = (Array.isArray(rules) && rules.length > 0) || childrenOf(raw).some(hasRules);
    known.set(raw, found);
    return found;
  };
  return hasRules;
}

/**
 * Whether a rule anywhere in a schema may use the old value: whether its text contains `oldSelf`. Rules are not
 * compiled for this.
 */
export function mentionsOldSelf(raw: JsonObject): boolean {
  const rules = raw['x-kubernetes-validations'];
  const here = Array.isArray(rules) && rules.some((rule) => JSON.stringify(rule).includes('oldSelf'));
  return here || childrenOf(raw).some(mentionsOldSelf);
}

const childKeywords = ['items', 'additionalProperties', 'x-kubernetes-property-names'];

function childrenOf(raw: JsonObject): JsonObject[] {
  const properties = raw['properties'];
  const children = childKeywords.map((keyword) => raw[keyword]);
  if (isObject(properties)) children.push(...Object.values(properties));
  return children.filter(isObject);
}

import type { FeatureGates } from '../../meta/index.ts';
import type { SchemaSite, SchemaStep } from '../check/schema-site.ts';
import { SchemaNode } from '../schema-node.ts';
import { placeOf, rootPlace, type RuleType, RuleTypes } from './rule-type.ts';

/**
 * The rule types of schemas by their steps from the root, as the check of a schema walks it. All share the root, so
 * that types are computed once.
 */
export class SiteTypes {
  readonly #gates: FeatureGates;
  readonly #types = new RuleTypes();
  #root: SchemaNode | undefined;

  constructor(gates: FeatureGates) {
    this.#gates = gates;
  }

  /** The type of `self` at a location; undefined if it is invisible to rules. */
  of(site: SchemaSite): RuleType | undefined {
    const [first, ...rest] = site.trail?.steps ?? [];
    const root = this.#rootNode(first?.schema ?? site.schema);
    let at = { node: root, place: rootPlace };
    if (first === undefined) return this.#types.of(at.node, at.place);
    let last: SchemaStep = first;
    for (const step of rest) {
      const node = stepInto(at.node, last);
      if (node === undefined) return undefined;
      at = { node, place: placeOf(node, `${at.place.name}.${stepName(last)}`) };
      last = step;
    }
    switch (last.keyword) {
      case 'properties':
        return this.#types.ofProperty(at.node, at.place, last.name ?? '');
      case 'x-kubernetes-property-names':
        return at.node.propertyNames && this.#types.ofKey(at.node.propertyNames);
      default: {
        const node = stepInto(at.node, last);
        const name = `${at.place.name}.${stepName(last)}`;
        return node === undefined ? undefined : this.#types.of(node, placeOf(node, name));
      }
    }
  }

  #rootNode(raw: SchemaSite['schema']): SchemaNode {
    if (this.#root?.raw !== raw) this.#root = new SchemaNode(raw, this.#gates);
    return this.#root;
  }
}

function stepInto(node: SchemaNode, { keyword, name = '' }: SchemaStep): SchemaNode | undefined {
  switch (keyword) {
    case 'properties':
      return node.properties.get(name);
    case 'items':
      return node.items;
    case 'additionalProperties':
      return node.additionalProperties;
    case 'x-kubernetes-property-names':
      return node.propertyNames;
  }
}

function stepName({ keyword, name = '' }: SchemaStep): string {
  switch (keyword) {
    case 'properties':
      return name;
    case 'items':
      return '@idx';
    case 'additionalProperties':
      return '@elem';
    case 'x-kubernetes-property-names':
      return '@key';
  }
}

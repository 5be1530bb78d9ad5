import type { ResourceAttributes } from '../auth/index.ts';
import {
  type FieldRequirement,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '../meta/index.ts';
import type { ResourcePath } from './request-info.ts';

/**
 * A collection as authorizers see it: with the requirements of its selectors (KEP-4601), which are read when an authorizer
 * asks for them. A selector that cannot be read restricts nothing; the verb refuses it afterwards.
 */
export class SelectedResource implements ResourceAttributes {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly #query: URLSearchParams;

  constructor(path: ResourcePath, query: URLSearchParams) {
    this.group = path.group;
    this.version = path.version;
    this.resource = path.resource;
    this.subresource = path.subresource;
    this.namespace = path.namespace;
    this.name = path.name;
    this.#query = query;
  }

  get fieldSelector(): readonly FieldRequirement[] | undefined {
    return requirementsOf(this.#query.get('fieldSelector'), parseFieldSelector);
  }

  get labelSelector(): readonly LabelRequirement[] | undefined {
    return requirementsOf(this.#query.get('labelSelector'), parseLabelSelector);
  }
}

function requirementsOf<T>(
  text: string | null,
  parse: (text: string) => { readonly requirements: readonly T[] },
): readonly T[] | undefined {
  if (text === null || text === '') return undefined;
  try {
    const { requirements } = parse(text);
    return requirements.length === 0 ? undefined : requirements;
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

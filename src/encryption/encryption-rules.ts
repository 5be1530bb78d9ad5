import type { GroupResource } from '../meta/index.ts';
import { identity } from './identity.ts';
import { prefixed, type PrefixedTransformer } from './prefixed.ts';
import type { Transformer } from './transformer.ts';

/** How the objects of each resource are stored. */
export interface EncryptionRules {
  /** By the resource itself, else by its group (`*.apps`), else by `*.*`; else as they are. */
  transformerOf(resource: GroupResource): Transformer;
  /** The key services that the rules ask; they are none where all keys stand in the configuration. */
  readonly services: KeyServices;
  /** True where they are replaced while a server runs. */
  readonly isReplaceable?: boolean;
}

/** Key services as a whole: they are asked from `start` to `close`. */
export interface KeyServices {
  /** How many there are. */
  readonly count: number;
  /** Resolves when each was asked for the first time; those that do not answer are asked again in the background. */
  start(): Promise<void>;
  /** Rejects with what ails them. */
  check(): Promise<void>;
  close(): void;
}

export const noServices: KeyServices = Object.freeze({
  count: 0,
  start: async () => {},
  check: async () => {},
  close: () => {},
});

/** `pods`, `widgets.example.com`; `*.` for everything in the core group. */
export function resourceText({ group, resource }: GroupResource): string {
  if (group === '') return resource === '*' ? '*.' : resource;
  return `${resource}.${group}`;
}

/** `widgets.example.com` in its parts: the group begins behind the first dot. */
export function parseResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot === -1
    ? { group: '', resource: text }
    : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

const anything: GroupResource = Object.freeze({ group: '*', resource: '*' });

/** Everything is stored as it is; what is encrypted is not read. */
export const noEncryption: EncryptionRules = Object.freeze({
  transformerOf: () => identity,
  services: noServices,
});

/** Collects the transformers of an EncryptionConfiguration by what they are for. */
export class EncryptionRuleBuilder {
  readonly #found = new Map<string, PrefixedTransformer[]>();

  /** The earlier rule that is for the resource already, so that a later one would have no effect. */
  maskOf({ group }: GroupResource): GroupResource | undefined {
    return [{ group, resource: '*' }, anything].find((rule) => this.#found.has(resourceText(rule)));
  }

  add(resource: GroupResource, transformers: readonly PrefixedTransformer[]): void {
    const name = resourceText(resource);
    this.#found.set(name, [...(this.#found.get(name) ?? []), ...transformers]);
  }

  build(services: KeyServices): EncryptionRules {
    const rules = new Map<string, Transformer>();
    for (const [name, [first, ...more]] of this.#found) {
      if (first !== undefined) rules.set(name, prefixed([first, ...more], 'no matching prefix found'));
    }
    return {
      services,
      transformerOf(resource) {
        const names = [resource, { group: resource.group, resource: '*' }, anything].map(resourceText);
        return names.map((name) => rules.get(name)).find((rule) => rule !== undefined) ?? identity;
      },
    };
  }
}

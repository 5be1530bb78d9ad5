import type { GroupResource } from '../meta/index.ts';
import { identity } from './identity.ts';
import { prefixed, type PrefixedTransformer } from './prefixed.ts';
import type { Transformer } from './transformer.ts';

/** The transformers of each resource. */
export interface EncryptionRules {
  /** By resource, else by group (`*.apps`), else `*.*`; otherwise values are stored unencrypted. */
  transformerOf(resource: GroupResource): Transformer;
  /** The KMS plugins of the rules; none if all keys are in the configuration. */
  readonly services: KeyServices;
  /** True if the rules can be replaced at run time. */
  readonly isReplaceable?: boolean;
}

/** The KMS plugins of a configuration: active from `start` to `close`. */
export interface KeyServices {
  /** The number of plugins. */
  readonly count: number;
  /** Resolves after the first call to each plugin; failed ones are retried in the background. */
  start(): Promise<void>;
  /** Rejects with the plugins' errors. */
  check(): Promise<void>;
  close(): void;
}

export const noServices: KeyServices = Object.freeze({
  count: 0,
  start: async () => {},
  check: async () => {},
  close: () => {},
});

/** `pods`, `widgets.example.com`; `*.` for all resources of the core group. */
export function resourceText({ group, resource }: GroupResource): string {
  if (group === '') return resource === '*' ? '*.' : resource;
  return `${resource}.${group}`;
}

/** Splits `widgets.example.com`: the group starts after the first dot. */
export function parseResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot === -1
    ? { group: '', resource: text }
    : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

const anything: GroupResource = Object.freeze({ group: '*', resource: '*' });

/** Everything is stored unencrypted; encrypted values cannot be read. */
export const noEncryption: EncryptionRules = Object.freeze({
  transformerOf: () => identity,
  services: noServices,
});

/** Collects the transformers of an EncryptionConfiguration by resource. */
export class EncryptionRuleBuilder {
  readonly #found = new Map<string, PrefixedTransformer[]>();

  /** An earlier rule that already covers the resource, so that a later one would have no effect. */
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

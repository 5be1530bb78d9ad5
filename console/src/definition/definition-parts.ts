import { type Condition, conditionsOf, type Json, type KubeObject, member } from '../api/kube-object.ts';
import type { Schema } from '../api/kind-schema.ts';

/** A version of a CRD. */
export interface VersionParts {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string;
  readonly schema: Schema;
  /** `.spec.color` */
  readonly selectableFields: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: string; readonly jsonPath: string }[];
  readonly subresources: readonly string[];
}

/** The parts of a CRD that its page shows. */
export interface DefinitionParts {
  readonly name: string;
  readonly kind: string;
  readonly scope: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly versions: readonly VersionParts[];
  readonly storedVersions: readonly string[];
  /** `None` or `Webhook`. */
  readonly conversion: string;
  readonly hasGates: boolean;
  readonly conditions: readonly Condition[];
}

/** Reads a CRD that the server has accepted; values of other types are ignored. */
export function definitionParts({ metadata, spec, status }: KubeObject): DefinitionParts {
  const names = member(spec, 'names');
  return {
    name: metadata.name,
    kind: textAt(names, 'kind'),
    scope: textAt(spec, 'scope'),
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
    versions: listAt(spec, 'versions').map(versionParts),
    storedVersions: textsAt(status, 'storedVersions'),
    conversion: textAt(member(spec, 'conversion'), 'strategy') || 'None',
    hasGates: listAt(member(spec, 'customFeatureGates'), 'featureGates').length > 0,
    conditions: conditionsOf(status),
  };
}

function versionParts(version: Json): VersionParts {
  const subresources = member(version, 'subresources');
  return {
    name: textAt(version, 'name'),
    served: member(version, 'served') === true,
    storage: member(version, 'storage') === true,
    deprecated: member(version, 'deprecated') === true,
    deprecationWarning: textAt(version, 'deprecationWarning'),
    // The server has accepted it as a schema.
    schema: (member(member(version, 'schema'), 'openAPIV3Schema') ?? {}) as Schema,
    selectableFields: listAt(version, 'selectableFields').map((field) => textAt(field, 'jsonPath')),
    columns: listAt(version, 'additionalPrinterColumns').map((column) => ({
      name: textAt(column, 'name'),
      type: textAt(column, 'type'),
      jsonPath: textAt(column, 'jsonPath'),
    })),
    subresources: ['status', 'scale'].filter((name) => member(subresources, name) !== undefined),
  };
}

function textAt(value: Json | undefined, key: string): string {
  const found = member(value, key);
  return typeof found === 'string' ? found : '';
}

function listAt(value: Json | undefined, key: string): readonly Json[] {
  const found = member(value, key);
  return Array.isArray(found) ? found : [];
}

function textsAt(value: Json | undefined, key: string): readonly string[] {
  return listAt(value, key).filter((one) => typeof one === 'string');
}

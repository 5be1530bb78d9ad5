import type { MergeType } from '../typed/merge-type.ts';
import { objectType } from './object-type.ts';
import type { TypeNotation } from './type-notation.ts';

/**
 * Merge types of the built-in kinds that this server stores itself, by the list types and merge keys of their Go
 * types. A new kind is one more constant.
 */

const condition: TypeNotation = {
  struct: {
    lastTransitionTime: 'scalar',
    message: 'string',
    observedGeneration: 'number',
    reason: 'string',
    status: 'string',
    type: 'string',
  },
};

const conditions: TypeNotation = { list: condition, by: ['type'] };

/** v1 Namespace. */
export const namespaceType: MergeType = objectType({
  spec: { struct: { finalizers: { list: 'string' } } },
  status: { struct: { phase: 'string', conditions } },
});

/** autoscaling/v1 Scale. */
export const scaleType: MergeType = objectType({
  spec: { struct: { replicas: 'number' } },
  status: { struct: { replicas: 'number', selector: 'string' } },
});

const names: TypeNotation = {
  struct: {
    categories: { list: 'string' },
    kind: 'string',
    listKind: 'string',
    plural: 'string',
    shortNames: { list: 'string' },
    singular: 'string',
  },
};

const clientConfig: TypeNotation = {
  struct: {
    caBundle: 'string',
    service: { struct: { name: 'string', namespace: 'string', path: 'string', port: 'number' } },
    url: 'string',
  },
};

const conversion: TypeNotation = {
  struct: {
    strategy: 'string',
    webhook: { struct: { clientConfig, conversionReviewVersions: { list: 'string' } } },
  },
};

const featureGates: TypeNotation = {
  struct: { component: 'string', featureGates: { list: { map: 'any' }, by: ['name'] } },
};

const version: TypeNotation = {
  struct: {
    additionalPrinterColumns: {
      list: {
        struct: {
          description: 'string',
          format: 'string',
          jsonPath: 'string',
          name: 'string',
          priority: 'number',
          type: 'string',
        },
      },
    },
    deprecated: 'boolean',
    deprecationWarning: 'string',
    name: 'string',
    schema: { struct: { openAPIV3Schema: 'any' } },
    selectableFields: { list: { struct: { jsonPath: 'string' } } },
    served: 'boolean',
    storage: 'boolean',
    subresources: {
      struct: {
        scale: {
          struct: { labelSelectorPath: 'string', specReplicasPath: 'string', statusReplicasPath: 'string' },
        },
        status: { map: 'any' },
      },
    },
  },
};

/**
 * apiextensions.k8s.io/v1 CustomResourceDefinition. Upstream's `versions` is atomic, as is every list in a schema.
 * Feature gates merge by name.
 */
export const customResourceDefinitionType: MergeType = objectType({
  spec: {
    struct: {
      conversion,
      customFeatureGates: featureGates,
      group: 'string',
      names,
      preserveUnknownFields: 'boolean',
      scope: 'string',
      versions: { list: version },
    },
  },
  status: {
    struct: {
      acceptedNames: names,
      conditions,
      observedGeneration: 'number',
      storedVersions: { list: 'string' },
    },
  },
});

/** Strategic merge patch replaces every list of a CRD, except feature gates and the lists of metadata. */
export const customResourceDefinitionPatchType: MergeType = objectType({
  spec: { struct: { customFeatureGates: featureGates } },
});

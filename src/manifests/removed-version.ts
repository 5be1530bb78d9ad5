import { type KubeObject, ownString } from '../meta/index.ts';

/** The advice for a CRD of a version that Kubernetes 1.22 removed; undefined for other objects. */
export function removedVersionHint(object: KubeObject): string | undefined {
  const isRemoved =
    ownString(object, 'kind') === 'CustomResourceDefinition' &&
    ownString(object, 'apiVersion') === 'apiextensions.k8s.io/v1beta1';
  return isRemoved ? hint : undefined;
}

const hint =
  'apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22: write apiVersion: apiextensions.k8s.io/v1, and in ' +
  'spec.versions[] the name (was spec.version), served, storage, schema.openAPIV3Schema (was ' +
  'spec.validation.openAPIV3Schema), subresources and additionalPrinterColumns (JSONPath is jsonPath now)';

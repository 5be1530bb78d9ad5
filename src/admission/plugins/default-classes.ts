import {
  type KubeObject,
  labelSelectorFromObject,
  metadataOf,
  metadataString,
  nameOf,
  own,
  ownObject,
  stringMap,
} from '../../meta/index.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** How objects of a resource get the default class of a kind. */
interface ClassDefault {
  readonly name: string;
  readonly group: string;
  readonly resource: string;
  readonly classes: { readonly apiVersion: string; readonly kind: string };
  /** An annotation that is `true` makes a class the default. */
  readonly isDefault: readonly string[];
  /** The field of the spec for the name of the class. */
  readonly field: string;
  /** The annotation that named the class before the field existed. */
  readonly olderAnnotation: string;
}

const everything = labelSelectorFromObject({});

/** Source: kubernetes, plugin/pkg/admission/storage/storageclass/setdefault. */
export const defaultStorageClass = classDefault({
  name: 'DefaultStorageClass',
  group: '',
  resource: 'persistentvolumeclaims',
  classes: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' },
  isDefault: [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  field: 'storageClassName',
  olderAnnotation: 'volume.beta.kubernetes.io/storage-class',
});

/** Source: kubernetes, plugin/pkg/admission/network/defaultingressclass. */
export const defaultIngressClass = classDefault({
  name: 'DefaultIngressClass',
  group: 'networking.k8s.io',
  resource: 'ingresses',
  classes: { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass' },
  isDefault: ['ingressclass.kubernetes.io/is-default-class'],
  field: 'ingressClassName',
  olderAnnotation: 'kubernetes.io/ingress.class',
});

/** Gives new objects without a class the newest class that is marked as the default. */
function classDefault(of: ClassDefault): (parts: Pick<PluginParts, 'params'>) => AdmissionPlugin {
  return ({ params }) => ({
    name: of.name,
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' &&
      subresource === '' &&
      resource.resource === of.resource &&
      resource.group === of.group,
    async admit(attributes) {
      const { object } = attributes;
      if (object === undefined || hasClass(object, of)) return;
      const { apiVersion, kind } = of.classes;
      const classes = (await params(apiVersion, kind)?.list('', everything, undefined)) ?? [];
      const [newest] = classes.filter((one) => isMarked(one, of)).sort(byAge);
      if (newest === undefined) return;
      const spec = { ...ownObject(object, 'spec'), [of.field]: nameOf(newest) };
      attributes.replaceObject({ ...object, spec });
    },
  });
}

const annotationsOf = (object: KubeObject) => stringMap(own(metadataOf(object), 'annotations'));

function hasClass(object: KubeObject, { field, olderAnnotation }: ClassDefault): boolean {
  const value = own(ownObject(object, 'spec') ?? {}, field) ?? undefined;
  return value !== undefined || annotationsOf(object).has(olderAnnotation);
}

function isMarked(one: KubeObject, { isDefault }: ClassDefault): boolean {
  const annotations = annotationsOf(one);
  return isDefault.some((name) => annotations.get(name) === 'true');
}

/** The newest first, of the same second the first name. */
function byAge(a: KubeObject, b: KubeObject): number {
  const [first, second] = [a, b].map((one) => metadataString(one, 'creationTimestamp'));
  if (first !== second) return (first ?? '') > (second ?? '') ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

import { customResourceDefinitionPatchType, customResourceDefinitionType } from '../../apply/index.ts';
import {
  crdFromV1beta1,
  crdSchema,
  crdSpecChanged,
  prepareCrdForCreate,
  prepareCrdForUpdate,
  prepareCrdStatusUpdate,
  setCondition,
  validateCrd,
  validateCrdStatus,
} from '../../crd/index.ts';
import {
  dnsSubdomainName,
  ensureMetadata,
  type FeatureGates,
  formatTime,
  type KubeObject,
  metadataOf,
  own,
  type SelectorOptions,
  stringList,
} from '../../meta/index.ts';
import { type RuleEnvironments, ruleChecks } from '../../schema/index.ts';
import type { Converter } from '../strategy/converter.ts';
import type { Endpoint, Strategy, StrategyContext } from '../strategy/strategy.ts';
import { type BuiltInKind, builtInType, createdColumn } from '../definition/kind.ts';

/** The finalizer of a CRD until its custom resources are deleted. */
const customResourceCleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** What CRDs are checked with. */
interface CrdKindOptions {
  readonly gates: FeatureGates;
  /** In which their rules are checked. */
  readonly rules: RuleEnvironments;
  readonly selectors: SelectorOptions;
}

/** Source: apiextensions-apiserver, registry/customresourcedefinition/strategy.go and etcd.go. */
function crdStrategy({ gates, rules, selectors }: CrdKindOptions): Strategy {
  const options = { gates, selectors, ruleChecksFor: ruleChecks(rules, gates) };
  return Object.freeze({
    allowUnconditionalUpdate: false,
    allowCreateOnUpdate: false,
    nameRule: dnsSubdomainName,
    validatesMetadata: true,

    prepareForCreate(crd: KubeObject): void {
      metadataOf(crd)['generation'] = 1;
      prepareCrdForCreate(crd, gates);
    },

    validateCreate: (crd: KubeObject) => validateCrd(crd, undefined, options),

    prepareForUpdate(crd: KubeObject, old: KubeObject, endpoint: Endpoint): void {
      if (endpoint === 'status') return prepareCrdStatusUpdate(crd, old);
      prepareCrdForUpdate(crd, old, gates);
      if (!crdSpecChanged(crd, old)) return;
      const generation = own(metadataOf(old), 'generation');
      metadataOf(crd)['generation'] = (typeof generation === 'number' ? generation : 0) + 1;
    },

    validateUpdate: (crd: KubeObject, old: KubeObject, endpoint: Endpoint) =>
      endpoint === 'status'
        ? { errors: validateCrdStatus(crd, old), warnings: [] }
        : validateCrd(crd, old, options),

    prepareForDelete(crd: KubeObject, { clock }: StrategyContext) {
      const metadata = ensureMetadata(crd);
      if (own(metadata, 'deletionTimestamp') !== undefined) return [];
      // Unlike other kinds, the generation stays, so that watches of the instances continue.
      metadata['deletionTimestamp'] = formatTime(clock.now());
      const finalizers = stringList(own(metadata, 'finalizers'));
      if (!finalizers.includes(customResourceCleanupFinalizer)) {
        metadata['finalizers'] = [...finalizers, customResourceCleanupFinalizer];
      }
      setCondition(crd, pendingDeletion, clock.now());
      return [];
    },
  } satisfies Strategy);
}

const pendingDeletion = Object.freeze({
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
});

const setVersion = (crd: KubeObject) => {
  crd['apiVersion'] = 'apiextensions.k8s.io/v1';
};

/** Written as they are; read also as a kube-apiserver keeps them. */
const converter: Converter = Object.freeze({
  fromStored(crd: KubeObject): void {
    crdFromV1beta1(crd);
    setVersion(crd);
  },
  toStored: setVersion,
  storesComplete: true,
});

/** The kind whose objects are kinds. */
export function crdKind(options: CrdKindOptions): BuiltInKind {
  return {
    strategy: crdStrategy(options),
    mergeType: customResourceDefinitionType,
    patchType: customResourceDefinitionPatchType,
    storedAs: { prefix: '/registry/apiextensions.k8s.io/customresourcedefinitions/', converter },
    type: builtInType({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      resource: 'customresourcedefinitions',
      namespaced: false,
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      status: true,
      columns: [createdColumn],
      properties: {},
      schema: crdSchema,
    }),
  };
}

import {
  type FeatureGates,
  type FieldError,
  type KubeObject,
  kubernetesSelectors,
  metadataOf,
  type SelectorOptions,
  validateObjectMetaUpdate,
} from '../../meta/index.ts';
import { rememberingSurveys, schemaWarnings } from '../../schema/index.ts';
import { specOf } from '../spec-view.ts';
import { approvalRule } from './approval.ts';
import { conversionRule } from './conversion.ts';
import type { CrdCheck, CrdRule, RuleChecksFor } from './crd-check.ts';
import { customFeatureGatesRule, featureGateWarnings } from './feature-gates.ts';
import { gatedSchemasRule } from './gated-schemas.ts';
import { groupRule, scopeRule } from './group-and-scope.ts';
import { expressionsOf } from './stored-expressions.ts';
import { hoistSpec } from './hoisted-spec.ts';
import { immutabilityRule } from './immutability.ts';
import { metadataRule } from './metadata.ts';
import { acceptedNamesErrors, acceptedNamesRule, namesRule } from './names.ts';
import { preserveUnknownFieldsRule } from './preserve-unknown-fields.ts';
import { defaultsRule, hoistedSchemasOf, schemaRequiredRule, unsoundSchemas } from './schemas.ts';
import { storedVersionsRule } from './stored-versions.ts';
import { firstVersionRule, sharedPartsRule, versionListRule, versionsRule } from './versions.ts';

/** All CRD rules, in upstream's order of errors. */
const rules: readonly CrdRule[] = [
  metadataRule,
  groupRule,
  scopeRule,
  schemaRequiredRule,
  defaultsRule,
  versionsRule,
  versionListRule,
  firstVersionRule,
  namesRule,
  sharedPartsRule,
  conversionRule,
  customFeatureGatesRule,
  gatedSchemasRule,
  immutabilityRule,
  acceptedNamesRule,
  storedVersionsRule,
  approvalRule,
  preserveUnknownFieldsRule,
];

/** The options for validating a CRD. */
interface ValidateCrdOptions {
  readonly gates: FeatureGates;
  /** The rules for selectable fields; defaults to Kubernetes' own. */
  readonly selectors?: SelectorOptions;
  readonly ruleChecksFor?: RuleChecksFor;
}

/** All errors, and warnings for the client. */
interface CrdReport {
  readonly errors: FieldError[];
  readonly warnings: string[];
}

/**
 * Validates a normalized and prepared CRD; `old` is the stored one, on update. Errors of the stored CRD are tolerated
 * where upstream tolerates them.
 * Source: ValidateCustomResourceDefinition and ...Update of apiextensions-apiserver.
 */
export function validateCrd(
  crd: KubeObject,
  old: KubeObject | undefined,
  { gates, selectors = kubernetesSelectors, ruleChecksFor = () => ({}) }: ValidateCrdOptions,
): CrdReport {
  const oldSpec = old === undefined ? undefined : hoistSpec(specOf(old));
  const surveyOf = rememberingSurveys();
  const check: CrdCheck = {
    crd,
    spec: hoistSpec(specOf(crd)),
    old,
    oldSpec,
    gates,
    selectors,
    unsoundOldSchemas: unsoundSchemas(oldSpec, gates, surveyOf),
    storedExpressions: expressionsOf(oldSpec),
    ruleChecksFor,
    surveyOf,
  };
  return {
    errors: rules.flatMap((rule) => rule(check)),
    warnings: [
      ...schemaWarnings(hoistedSchemasOf(check.spec), gates, hoistedSchemasOf(check.oldSpec), surveyOf),
      ...featureGateWarnings(check),
    ],
  };
}

/** Validates an update of `/status`: the metadata and the accepted names. */
export function validateCrdStatus(crd: KubeObject, old: KubeObject): FieldError[] {
  const metadata = validateObjectMetaUpdate(metadataOf(crd), metadataOf(old), { namespaced: false });
  return [...metadata, ...acceptedNamesErrors(crd)];
}

import {
  checkDns1035Label,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  type JsonObject,
  ownObject,
  required,
} from '../../meta/index.ts';
import { isConditionTrue } from '../conditions.ts';
import { stringsOf, textOf } from '../spec-view.ts';
import { caBundleProblem, clientConfigOf } from './ca-bundle.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import { enumErrors } from './group-and-scope.ts';
import { webhookAddressErrors } from './webhook-client.ts';

const path = FieldPath.of('spec', 'conversion');
/** Upstream stores the webhook's parts directly in the conversion; its error paths show that. */
const configPath = path.child('webhookClientConfig');
const reviewsPath = path.child('conversionReviewVersions');
const knownReviewVersions = ['v1', 'v1beta1'];

/** The conversion between versions. */
export const conversionRule: CrdRule = (check) => {
  const conversion = ownObject(check.spec.raw, 'conversion');
  if (conversion === undefined) return [];
  const strategy = textOf(conversion, 'strategy');
  const preserved = check.spec.raw['preserveUnknownFields'] === true && strategy !== 'None';
  const preservedText = 'must be None if spec.preserveUnknownFields is true';
  return [
    ...(preserved ? [invalid(path.child('strategy'), strategy, preservedText)] : []),
    ...enumErrors(path.child('strategy'), strategy, ['None', 'Webhook']),
    ...(strategy === 'Webhook' ? webhookErrors(check) : strayWebhookErrors(check.spec.raw)),
  ];
};

function webhookErrors(check: CrdCheck): FieldError[] {
  const config = clientConfigOf(check.spec.raw);
  const reviews = reviewVersionsOf(check.spec.raw);
  return [
    ...(config === undefined
      ? [required(configPath, 'required when strategy is set to Webhook')]
      : [...webhookAddressErrors(config, configPath), ...caBundleErrors(config, check)]),
    ...reviewVersionErrors(reviews, oldReviewsAreKnown(check)),
  ];
}

function strayWebhookErrors(spec: JsonObject): FieldError[] {
  const text = 'should not be set when strategy is not set to Webhook';
  return [
    ...(clientConfigOf(spec) === undefined ? [] : [forbidden(configPath, text)]),
    ...(reviewVersionsOf(spec).length === 0 ? [] : [forbidden(reviewsPath, text)]),
  ];
}

/** Invalid certificates are accepted until the CRD is established, and if the stored ones were invalid. */
function caBundleErrors(config: JsonObject, { old, oldSpec }: CrdCheck): FieldError[] {
  if (old === undefined || oldSpec === undefined || !isConditionTrue(old, 'Established')) return [];
  const oldConfig = clientConfigOf(oldSpec.raw);
  if (oldConfig !== undefined && caBundleProblem(textOf(oldConfig, 'caBundle')) !== undefined) return [];
  const caBundle = textOf(config, 'caBundle');
  const problem = caBundleProblem(caBundle);
  return problem === undefined ? [] : [invalid(configPath.child('caBundle'), caBundle, problem)];
}

function reviewVersionsOf(spec: JsonObject): string[] {
  const conversion = ownObject(spec, 'conversion');
  const webhook = conversion === undefined ? undefined : ownObject(conversion, 'webhook');
  return webhook === undefined ? [] : stringsOf(webhook, 'conversionReviewVersions');
}

function oldReviewsAreKnown({ oldSpec }: CrdCheck): boolean {
  const reviews = oldSpec === undefined ? [] : reviewVersionsOf(oldSpec.raw);
  return reviews.length === 0 || reviews.some((version) => knownReviewVersions.includes(version));
}

function reviewVersionErrors(versions: string[], knownDemanded: boolean): FieldError[] {
  if (versions.length === 0) return [required(reviewsPath)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, index) => {
    const at = reviewsPath.index(index);
    if (seen.has(version)) return [invalid(at, version, 'duplicate version')];
    seen.add(version);
    return checkDns1035Label(version).map((wrong) => invalid(at, version, wrong));
  });
  if (knownDemanded && !versions.some((version) => knownReviewVersions.includes(version))) {
    const detail = `must include at least one of ${knownReviewVersions.join(', ')}`;
    errors.push(invalid(reviewsPath, versions, detail));
  }
  return errors;
}

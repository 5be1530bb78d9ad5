import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { VersionedObjects } from '../matching/versioned-objects.ts';
import { callWebhook, WebhookCallError } from './call-webhook.ts';
import type { DispatchParts } from './mutating-dispatcher.ts';
import { shouldCall } from './should-call.ts';
import type { Webhook } from './webhook.ts';
import { requestTimedOut } from './webhook-refusals.ts';

interface Invocation {
  readonly webhook: Webhook;
  readonly matchedAs: MatchedResource;
}

/**
 * Calls the validating webhooks concurrently. The first denial is returned.
 * Source: apiserver, webhook/validating/dispatcher.go.
 *
 * @throws {StatusError} where one denies the write or fails closed
 */
export async function dispatchValidating(
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  parts: DispatchParts,
): Promise<void> {
  const objects = new VersionedObjects(attributes);
  const invocations: Invocation[] = [];
  for (const webhook of webhooks) {
    const matchedAs = await shouldCall(webhook, attributes, { objects, parts });
    if (matchedAs !== undefined) invocations.push({ webhook, matchedAs });
  }
  if (invocations.length === 0) return;
  if (attributes.signal.aborted) throw requestTimedOut();
  const errors: unknown[] = [];
  const calls = invocations.map(async (invocation, index) => {
    try {
      await call(invocation, index, { attributes, objects, parts });
    } catch (error) {
      errors.push(error);
    }
  });
  await Promise.all(calls);
  if (errors.length > 0) throw errors[0];
}

async function call(
  { webhook, matchedAs }: Invocation,
  index: number,
  {
    attributes,
    objects,
    parts,
  }: {
    readonly attributes: AdmissionAttributes;
    readonly objects: VersionedObjects;
    readonly parts: DispatchParts;
  },
): Promise<void> {
  try {
    const pair = await objects.in(matchedAs.kind);
    const uid = parts.newUid();
    await callWebhook({ webhook, phase: 'validating', attributes, matchedAs, objects: pair, uid });
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    if (!webhook.failsOpen) throw error.refusal;
    const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`;
    attributes.annotate(key, webhook.name);
  }
}

import { encodeJson } from '../../codec/index.ts';
import type { StatusError } from '../../meta/index.ts';
import { readResponse, WebhookError } from '../../webhook/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { startTimer } from '../timed.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import type { ObjectPair } from '../matching/versioned-objects.ts';
import { admissionReview, type ReviewResponse, reviewResponse } from './admission-review.ts';
import type { Webhook } from './webhook.ts';
import { callFailure, denied, dryRunUnsupported, requestTimedOut } from './webhook-refusals.ts';

/** One question to one webhook. */
interface WebhookCallRequest {
  readonly webhook: Webhook;
  readonly phase: 'mutating' | 'validating';
  readonly attributes: AdmissionAttributes;
  readonly matchedAs: MatchedResource;
  readonly objects: ObjectPair;
  readonly uid: string;
}

/** A failed call; the webhook's failure policy decides whether the write fails. */
export class WebhookCallError extends Error {
  readonly webhook: string;
  /** What metrics count the failure as. */
  readonly code: number;

  constructor(webhook: string, why: string, code = 503) {
    super(why);
    this.webhook = webhook;
    this.code = code;
  }

  get refusal(): StatusError {
    return callFailure(this.webhook, this.message);
  }
}

/**
 * Asks a webhook, and hands on its warnings and audit annotations.
 *
 * @throws {StatusError} where it denies the write, or a dry run must not call it
 * @throws {WebhookCallError} where it cannot be asked or gives no proper answer
 */
export async function callWebhook(request: WebhookCallRequest): Promise<ReviewResponse> {
  const { webhook, attributes } = request;
  if (attributes.dryRun && !webhook.allowsDryRun) throw dryRunUnsupported(webhook.name);
  const response = await noted(request, () => ask(request));
  for (const [key, value] of response.auditAnnotations) attributes.annotate(`${webhook.name}/${key}`, value);
  for (const warning of response.warnings) attributes.warn(warning);
  if (response.allowed) return response;
  throw denied(webhook.name, response.result);
}

async function noted(
  { webhook, phase: moment, attributes }: WebhookCallRequest,
  call: () => Promise<ReviewResponse>,
): Promise<ReviewResponse> {
  const { operation } = attributes;
  const phase = moment === 'mutating' ? 'admit' : 'validate';
  const head = { what: 'webhook', name: webhook.name, phase, operation } as const;
  const seconds = startTimer();
  const layer = moment === 'mutating' ? 'mutating-webhook' : 'validating-webhook';
  try {
    const response = await call();
    const { allowed, result } = response;
    const code = allowed ? 200 : denied(webhook.name, result).status.code;
    const message = allowed ? '' : denied(webhook.name, result).message;
    const outcome = allowed ? 'allowed' : 'denied';
    attributes.record({ ...head, outcome, code: code ?? 400, message, seconds: seconds() });
    return response;
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    const outcome = webhook.failsOpen ? 'failed open' : 'failed';
    attributes.record({ ...head, outcome, code: error.code, message: error.message, seconds: seconds() });
    throw error;
  } finally {
    attributes.track?.(layer, seconds() * 1_000);
  }
}

async function ask(request: WebhookCallRequest): Promise<ReviewResponse> {
  const { webhook, phase, attributes, uid } = request;
  const { name, reviewVersion: version, connection } = webhook;
  if (version === undefined) {
    const known = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new WebhookCallError(name, `could not create admission objects: ${known}`, 400);
  }
  const { group, resource } = attributes.resource;
  const document = encodeJson(admissionReview({ ...request, version }));
  const answer = await failing(name, 'failed to call webhook: ', async () =>
    readResponse(await connection.post(document, { group, resource, signal: attributes.signal })),
  );
  return failing(name, '', async () => reviewResponse(answer, { version, uid }, phase));
}

async function failing<T>(webhook: string, prefix: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    throw new WebhookCallError(webhook, prefix + error.message, error.code);
  }
}

/**
 * A failed call of a webhook that fails open: the write continues, unless it was cancelled.
 *
 * @throws {StatusError} 504 if the request was cancelled
 */
export function requireOngoing({ signal }: AdmissionAttributes): void {
  if (signal.aborted) throw requestTimedOut();
}

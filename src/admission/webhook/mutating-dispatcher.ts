import { DecodeError, decodeJson, encodeJson } from '../../codec/index.ts';
import {
  equal,
  goQuote,
  internalError,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '../../meta/index.ts';
import { applyJsonPatch, isJsonPatchError, parseJsonPatch } from '../../patch/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { isSameKind, VersionedObjects } from '../matching/versioned-objects.ts';
import type { ReviewResponse } from './admission-review.ts';
import { callWebhook, requireOngoing, WebhookCallError } from './call-webhook.ts';
import { type MatchParts, shouldCall } from './should-call.ts';
import { InvocationRecord } from '../invocation-record.ts';
import type { Webhook } from './webhook.ts';
import { notMutable } from './webhook-refusals.ts';

/** What a dispatcher works with. */
export interface DispatchParts extends MatchParts {
  readonly newUid: () => string;
}

/** A webhook that is asked, and its place among all of its phase. */
interface Turn {
  readonly webhook: Webhook;
  readonly index: number;
  readonly round: 0 | 1;
}

/**
 * Calls the mutating webhooks one after the other, each with the result of the previous one.
 * Source: apiserver, webhook/mutating/dispatcher.go.
 *
 * @throws {StatusError} where one denies the write or fails closed
 */
export async function dispatchMutating(
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  parts: DispatchParts,
): Promise<void> {
  const { reinvocation: rounds } = attributes;
  const reinvocation = rounds.valueOf('MutatingAdmissionWebhook', () => new InvocationRecord());
  if (rounds.isReinvoke) reinvocation.requireWhereChanged(attributes.object);
  const round = rounds.isReinvoke ? 1 : 0;
  for (const [index, webhook] of webhooks.entries()) {
    const objects = new VersionedObjects(attributes);
    const matchedAs = await shouldCall(webhook, attributes, { objects, parts });
    // A webhook that the first round skipped is not called in the second.
    if (matchedAs === undefined || (rounds.isReinvoke && !reinvocation.isDue(webhook.uid))) continue;
    const isChanged = await takeTurn({ webhook, index, round }, { attributes, matchedAs, objects, parts });
    if (isChanged) {
      reinvocation.requirePrevious();
      rounds.want();
    }
    if (webhook.isReinvoked) reinvocation.noteInvoked(webhook.uid);
  }
  reinvocation.noteOutput(attributes.object);
}

interface TurnParts {
  readonly attributes: AdmissionAttributes;
  readonly matchedAs: MatchedResource;
  readonly objects: VersionedObjects;
  readonly parts: DispatchParts;
}

/** True where the webhook changed the object. */
async function takeTurn(turn: Turn, { attributes, matchedAs, objects, parts }: TurnParts): Promise<boolean> {
  const { webhook, index, round } = turn;
  const place = `round_${round}_index_${index}`;
  const names = { configuration: webhook.configuration, webhook: webhook.name };
  let mutated = false;
  try {
    const pair = await objects.in(matchedAs.kind);
    const uid = parts.newUid();
    const call = { webhook, phase: 'mutating', attributes, matchedAs, objects: pair, uid } as const;
    const operations = patchOf(webhook, await callWebhook(call));
    if (operations === undefined) return false;
    const { object } = pair;
    if (object === undefined) throw notMutable(webhook.name);
    const patched = patchedObject(object, operations);
    mutated = !equal(object, patched);
    const patch: JsonObject = { ...names, patch: operations, patchType: 'JSONPatch' };
    attributes.annotate(`patch.webhook.admission.k8s.io/${place}`, encodeJson(patch).toString());
    await takeObject(patched, attributes, matchedAs);
    return mutated;
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    if (!webhook.failsOpen) throw error.refusal;
    attributes.annotate(`failed-open.mutation.webhook.admission.k8s.io/${place}`, webhook.name);
    requireOngoing(attributes);
    return false;
  } finally {
    const mutation = encodeJson({ ...names, mutated }).toString();
    attributes.annotate(`mutation.webhook.admission.k8s.io/${place}`, mutation);
  }
}

/** Undefined for no operations at all. @throws {WebhookCallError} */
function patchOf({ name }: Webhook, { patch, patchType }: ReviewResponse): JsonValue[] | undefined {
  if (patch === '') return undefined;
  const operations = decodedPatch(name, patch);
  if (operations.length === 0) return undefined;
  if (patchType === 'JSONPatch') return operations;
  throw new WebhookCallError(name, `unsupported patch type ${goQuote(patchType)}`);
}

function decodedPatch(name: string, patch: string): JsonValue[] {
  const head = 'received undecodable patch in webhook response: ';
  try {
    const { value } = decodeJson(Buffer.from(patch, 'base64'));
    if (value === null) return [];
    if (Array.isArray(value)) return value;
    throw new WebhookCallError(name, `${head}json: cannot unmarshal into Go value of type jsonpatch.Patch`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new WebhookCallError(name, head + error.message);
  }
}

/** @throws {StatusError} 500 for operations that cannot be applied, regardless of the failure policy */
function patchedObject(object: KubeObject, operations: JsonValue[]): KubeObject {
  try {
    const patched = applyJsonPatch(object, parseJsonPatch(operations));
    if (isObject(patched)) return patched;
    throw internalError('the patched object is no object');
  } catch (error) {
    if (isJsonPatchError(error)) throw internalError(error.message);
    throw error;
  }
}

/** Defaults the object again, and converts it back to the version of the request. */
async function takeObject(
  patched: KubeObject,
  attributes: AdmissionAttributes,
  { kind }: MatchedResource,
): Promise<void> {
  const { conversions } = attributes;
  conversions.complete(patched, kind);
  attributes.replaceObject(
    isSameKind(kind, attributes.kind) ? patched : await conversions.convert(patched, attributes.kind),
  );
}

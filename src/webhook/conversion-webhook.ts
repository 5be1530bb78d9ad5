import { encodeJson } from '../codec/index.ts';
import { type Clock, type JsonValue, type KubeObject, ownString } from '../meta/index.ts';
import { ConversionError, type ConversionFailure } from './conversion-error.ts';
import { conversionReview, convertedObjects, reviewVersionOf } from './conversion-review.ts';
import { type ConversionMistake, takeConverted } from './converted-object.ts';
import { readResponse } from './read-response.ts';
import type { WebhookClient } from './webhook-client.ts';
import { WebhookError } from './webhook-error.ts';

/** The result for one object of a review. */
type Conversion = { readonly object: KubeObject } | { readonly error: ConversionError };

/** A finished review, for metrics. */
export interface ReviewOutcome {
  /** `widgets.example.com` */
  readonly crd: string;
  readonly fromVersion: string;
  readonly toVersion: string;
  /** Undefined if all objects were converted. */
  readonly failure: ConversionFailure | undefined;
  readonly seconds: number;
}

interface ConversionWebhookParts {
  /** The CRD whose objects are converted. */
  readonly crd: string;
  readonly client: Pick<WebhookClient, 'post' | 'retire' | 'close'>;
  readonly clock: Clock;
  readonly observe: (outcome: ReviewOutcome) => void;
  /** `conversionReviewVersions`, in the webhook's order of preference. */
  readonly reviewVersions: readonly string[];
  readonly newUid: () => string;
}

/** Converts custom resources by calling a webhook. */
export class ConversionWebhook {
  readonly #parts: ConversionWebhookParts;

  constructor(parts: ConversionWebhookParts) {
    this.#parts = parts;
  }

  /**
   * Converts objects to another version by one review, in order. The input is not changed. An invalid object fails
   * alone; an invalid response fails all.
   *
   * @param objects at least one; none of them is already in that version
   */
  async convert(objects: readonly KubeObject[], apiVersion: string): Promise<readonly Conversion[]> {
    const { crd, clock, observe } = this.#parts;
    const startedMs = clock.now();
    const conversions = await this.#convert(objects, apiVersion);
    observe({
      crd,
      fromVersion: versionName(ownString(objects[0] ?? {}, 'apiVersion') ?? ''),
      toVersion: versionName(apiVersion),
      failure: failureOf(conversions),
      seconds: (clock.now() - startedMs) / 1000,
    });
    return conversions;
  }

  async #convert(objects: readonly KubeObject[], apiVersion: string): Promise<readonly Conversion[]> {
    const head = `conversion webhook for ${kindText(objects[0] ?? {})}`;
    try {
      const values = await this.#ask(objects, apiVersion, head);
      return objects.map((object, index) => {
        const taken = takeConverted(object, values[index] ?? null, apiVersion);
        if ('object' in taken) return taken;
        const text = mistakeText(taken.mistake, head, objects.length === 1 ? undefined : index);
        return { error: new ConversionError('object', text) };
      });
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      return objects.map(() => ({ error }));
    }
  }

  /** Closes the client after its running calls: see {@link WebhookClient.retire}. */
  retire(): void {
    this.#parts.client.retire();
  }

  close(): void {
    this.#parts.client.close();
  }

  async #ask(objects: readonly KubeObject[], apiVersion: string, head: string): Promise<JsonValue[]> {
    const { client, reviewVersions, newUid } = this.#parts;
    const version = reviewVersionOf(reviewVersions);
    if (version === undefined) throw new ConversionError('call', 'no supported conversion review versions');
    const uid = newUid();
    const review = conversionReview(version, { uid, desiredAPIVersion: apiVersion, objects: [...objects] });
    const document = encodeJson(review);
    const answer = await blaming('call', head, async () => readResponse(await client.post(document)));
    const values = await blaming('review', head, async () => convertedObjects(answer, version, uid));
    if (values.length === objects.length) return values;
    throw new ConversionError(
      'count',
      `${head} returned ${values.length} objects, expected ${objects.length}`,
    );
  }
}

function failureOf(conversions: readonly Conversion[]): ConversionFailure | undefined {
  for (const conversion of conversions) if ('error' in conversion) return conversion.error.failure;
  return undefined;
}

/** `v1` of `example.com/v1` */
function versionName(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

async function blaming<T>(blame: 'call' | 'review', head: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    throw new ConversionError(blame, `${head} failed: ${error.message}`);
  }
}

/** `example.com/v1, Kind=Widget` */
function kindText(object: KubeObject): string {
  return `${ownString(object, 'apiVersion') ?? ''}, Kind=${ownString(object, 'kind') ?? ''}`;
}

/** Upstream's messages differ for a single object and for the items of a list. */
function mistakeText({ about, text }: ConversionMistake, head: string, index: number | undefined): string {
  if (index !== undefined) {
    const what = about === 'metadata' ? 'invalid metadata in object' : 'invalid converted object';
    return `${head} returned ${what} at index ${index}: ${text}`;
  }
  switch (about) {
    case 'json':
      return text;
    case 'version':
      return `${head} returned invalid object at index 0: ${text}`;
    case 'identity':
      return `${head} returned invalid object: ${text}`;
    case 'metadata':
      return `${head} returned invalid metadata: ${text}`;
  }
}

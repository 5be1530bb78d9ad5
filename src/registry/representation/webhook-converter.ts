import type { ResourceType, ResourceVersion } from '../../crd/index.ts';
import { formatGroupVersion, type KubeObject, own } from '../../meta/index.ts';
import { ConversionError, type ConversionWebhook } from '../../webhook/index.ts';
import { ConvertedRepresentations, type Preparation } from './converted-representations.ts';
import type { ViewEntry } from '../../cache/index.ts';
import type { Representations } from './representation.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import { versionOf } from './stored-version.ts';

/** Converts the objects of a resource by its webhook. Failures become refusals with upstream's messages. */
export class WebhookConverter {
  readonly #type: ResourceType;
  readonly #webhook: ConversionWebhook;
  readonly #representations: ConvertedRepresentations;

  constructor(type: ResourceType, webhook: ConversionWebhook) {
    this.#type = type;
    this.#webhook = webhook;
    this.#representations = new ConvertedRepresentations(webhook);
  }

  /**
   * Converts objects to a version with one review, in order. Objects in that version are returned unchanged, the
   * others are new; none is changed.
   *
   * @throws {StatusError} 500 if the webhook fails
   */
  async convert(objects: readonly KubeObject[], version: ResourceVersion): Promise<readonly KubeObject[]> {
    const apiVersion = formatGroupVersion(this.#type.group, version.name);
    const converted = objects.map((object) => this.#without(object, version, apiVersion));
    const asked = objects.filter((_, index) => converted[index] === undefined);
    const answers = asked.length === 0 ? [] : await this.#webhook.convert(asked, apiVersion);
    let next = 0;
    return converted.map((object) => {
      if (object !== undefined) return object;
      const answer = answers[next];
      next += 1;
      if (answer === undefined || 'error' in answer) throw refusal(answer?.error);
      return answer.object;
    });
  }

  /** Objects that need no webhook: those of the version, and those with nothing but a kind. */
  #without(object: KubeObject, version: ResourceVersion, apiVersion: string): KubeObject | undefined {
    if (versionOf(object, this.#type) === version) return object;
    const isEmpty = Object.keys(object).every((key) => key === 'apiVersion' || key === 'kind');
    return isEmpty && own(object, 'kind') !== undefined ? { ...object, apiVersion } : undefined;
  }

  /** @see ConvertedRepresentations.prepare @throws {StatusError} 500 if the webhook fails */
  async prepare(entries: readonly ViewEntry<Representations>[], preparation: Preparation): Promise<void> {
    try {
      await this.#representations.prepare(entries, preparation);
    } catch (error) {
      throw error instanceof ConversionError ? refusal(error) : error;
    }
  }

  /** Another converter has replaced it; calls in progress finish. */
  retire(): void {
    this.#webhook.retire();
  }

  /** Cancels the calls in progress. */
  close(): void {
    this.#webhook.close();
  }
}

function refusal(error: ConversionError | undefined) {
  return errorWithoutReason(500, error?.message ?? '');
}

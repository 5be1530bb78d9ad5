import type { ViewEntry } from '../../cache/index.ts';
import { needsConversion, type Preparation } from './converted-representations.ts';
import type { Representations } from './representation.ts';

/**
 * Whether a webhook converts the objects of a resource: then they are read only after {@link prepareRepresentations}.
 */
export function needsWebhook({ resource }: Preparation['served']): boolean {
  return resource.converter.webhook !== undefined;
}

/** Whether `representationOf` can be called for an entry without preparation. */
export function isPrepared(entry: ViewEntry<Representations>, served: Preparation['served']): boolean {
  return !needsWebhook(served) || !needsConversion(entry, served);
}

/**
 * Enables `representationOf` for entries that a webhook converts; undefined if nothing must be awaited, which is
 * always so without a webhook. Read the entries before the next await.
 *
 * @throws {StatusError} 500 if the webhook fails, or the reason of the signal
 */
export function prepareRepresentations(
  entries: readonly ViewEntry<Representations>[],
  preparation: Preparation,
): Promise<void> | undefined {
  const { served } = preparation;
  const { webhook } = served.resource.converter;
  if (webhook === undefined) return undefined;
  const isMissing = entries.some((entry) => needsConversion(entry, served));
  return isMissing ? webhook.prepare(entries, preparation) : undefined;
}

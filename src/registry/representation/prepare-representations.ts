import type { ViewEntry } from '../../cache/index.ts';
import { needsForm, type Preparation } from './converted-representations.ts';
import type { Forms } from './representation.ts';

/** Whether a webhook converts the objects of a resource: then {@link prepareForms} comes before every look at them. */
export function needsWebhook({ resource }: Preparation['served']): boolean {
  return resource.converter.webhook !== undefined;
}

/** Whether `formOf` can be called for an entry without preparation. */
export function isPrepared(entry: ViewEntry<Forms>, served: Preparation['served']): boolean {
  return !needsWebhook(served) || !needsForm(entry, served);
}

/**
 * Makes `formOf` work for entries whose conversion a webhook does; undefined where there is nothing to wait for, which
 * is always so without a webhook. Look at the entries before waiting for anything else.
 *
 * @throws {StatusError} 500 where the webhook fails, or the reason of the signal
 */
export function prepareForms(
  entries: readonly ViewEntry<Forms>[],
  preparation: Preparation,
): Promise<void> | undefined {
  const { served } = preparation;
  const { webhook } = served.resource.converter;
  if (webhook === undefined) return undefined;
  const isMissing = entries.some((entry) => needsForm(entry, served));
  return isMissing ? webhook.prepare(entries, preparation) : undefined;
}

import type { ViewEntry } from '../../cache/index.ts';
import { limits } from '../../meta/index.ts';
import type { Preparation } from '../representation/converted-representations.ts';
import type { Representations } from '../representation/representation.ts';
import type { ListPage, PageBuilder } from './page-builder.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';

/**
 * Fills a page with objects that a webhook converts: first as many as fit on the page, then growing chunks while
 * selectors reject most. A page of ten without selectors converts ten.
 *
 * @throws {StatusError} 500 if the webhook fails
 */
export async function convertedPage(
  page: PageBuilder,
  entries: Iterable<ViewEntry<Representations>>,
  { limit, ...preparation }: Preparation & { readonly limit: number },
): Promise<ListPage> {
  for (const chunk of growingChunks(entries, limit)) {
    if (page.isFull) return page.withMore();
    await prepareRepresentations(chunk, preparation);
    for (const entry of chunk) {
      if (page.isFull) return page.withMore();
      page.take(entry);
    }
  }
  return page.asLast();
}

/** Yields the entries in chunks that double in size. */
function* growingChunks(
  entries: Iterable<ViewEntry<Representations>>,
  limit: number,
): Generator<readonly ViewEntry<Representations>[]> {
  const lengthMax = limits.conversionReviewObjectsMax;
  let length = limit > 0 ? Math.min(limit, lengthMax) : lengthMax;
  let chunk: ViewEntry<Representations>[] = [];
  for (const entry of entries) {
    chunk.push(entry);
    if (chunk.length < length) continue;
    yield chunk;
    chunk = [];
    length = Math.min(length * 2, lengthMax);
  }
  if (chunk.length > 0) yield chunk;
}

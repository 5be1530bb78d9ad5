import type { ViewEntry } from '../../cache/index.ts';
import { encodeJson } from '../../codec/index.ts';
import { formatGroupVersion, invariant, limits } from '../../meta/index.ts';
import { ConversionError, type ConversionWebhook } from '../../webhook/index.ts';
import type { Represented } from './represented.ts';
import {
  decodeUnconverted,
  exactCopy,
  type Representations,
  keepRepresentation,
  keptRepresentation,
  shapeConverted,
} from './representation.ts';
import { storedApiVersion, storedVersionOf } from './stored-version.ts';
import { untilAborted } from './until-aborted.ts';

type Entry = ViewEntry<Representations>;

/** The bytes of an entry in another version, or the conversion error. */
type Outcome = Uint8Array | ConversionError;

/** One ConversionReview: entries that are converted together for all waiting callers. */
interface Batch {
  readonly entries: ReadonlySet<Entry>;
  readonly outcomes: Promise<ReadonlyMap<Entry, Outcome>>;
}

/** The caller of a preparation. */
export interface Preparation {
  readonly served: Represented;
  /** Ends the wait, not the review, which other callers may wait for. Read only if there is a wait. */
  readonly context: { readonly signal: AbortSignal };
}

/**
 * Converts entries of the live view in batches, each entry once. Results are cached on the entries, and all callers
 * that need an entry under conversion wait for the same review, so lists and watches of a version share the work.
 */
export class ConvertedRepresentations {
  readonly #webhook: ConversionWebhook;
  /** By version name. */
  readonly #pending = new Map<string, Map<Entry, Batch>>();

  constructor(webhook: ConversionWebhook) {
    this.#webhook = webhook;
  }

  /**
   * Converts every entry to the served version. The results stay available after it resolves until the caller awaits
   * something else.
   *
   * @throws {ConversionError} for the first entry that cannot be converted
   */
  async prepare(entries: readonly Entry[], preparation: Preparation): Promise<void> {
    const made = new Map<Entry, Uint8Array>();
    const missing: Entry[] = [];
    for (const entry of entries) {
      // A changed CRD may evict results during the wait.
      const kept = keptRepresentation(entry, preparation.served.version);
      if (kept !== undefined) made.set(entry, kept.bytes);
      else if (needsConversion(entry, preparation.served)) missing.push(entry);
    }
    for (const chunk of chunksOf(missing)) await this.#prepareChunk(chunk, preparation, made);
    for (const [entry, bytes] of made) keepRepresentation(entry, bytes, preparation.served);
  }

  async #prepareChunk(
    chunk: readonly Entry[],
    preparation: Preparation,
    made: Map<Entry, Uint8Array>,
  ): Promise<void> {
    const { served, context } = preparation;
    const batches = this.#join(chunk, served);
    const mine = new Set(chunk);
    const again: Entry[] = [];
    for (const batch of batches) {
      const outcomes = await untilAborted(batch.outcomes, context.signal);
      for (const entry of chunk) {
        const outcome = outcomes.get(entry);
        if (outcome === undefined) continue;
        if (!(outcome instanceof ConversionError)) made.set(entry, outcome);
        else if (concernsUs(outcome, batch, mine)) throw outcome;
        else again.push(entry);
      }
    }
    if (again.length === 0) return;
    const own = await untilAborted(this.#begin(again, served).outcomes, context.signal);
    for (const [entry, outcome] of own) {
      if (outcome instanceof ConversionError) throw outcome;
      made.set(entry, outcome);
    }
  }

  /** The reviews that convert the entries: those in progress, and a new one for the rest. */
  #join(chunk: readonly Entry[], served: Represented): ReadonlySet<Batch> {
    const pending = this.#pending.get(served.version.name);
    const batches = new Set<Batch>();
    const rest: Entry[] = [];
    for (const entry of chunk) {
      const batch = pending?.get(entry);
      if (batch === undefined) rest.push(entry);
      else batches.add(batch);
    }
    if (rest.length > 0) batches.add(this.#begin(rest, served));
    return batches;
  }

  #begin(entries: readonly Entry[], served: Represented): Batch {
    const { name } = served.version;
    const pending = this.#pending.get(name) ?? new Map<Entry, Batch>();
    this.#pending.set(name, pending);
    const outcomes = this.#review(entries, served);
    const batch: Batch = { entries: new Set(entries), outcomes };
    for (const entry of entries) pending.set(entry, batch);
    const forget = () => {
      for (const entry of entries) if (pending.get(entry) === batch) pending.delete(entry);
    };
    outcomes.then(forget, forget);
    return batch;
  }

  async #review(
    entries: readonly Entry[],
    { type, version }: Represented,
  ): Promise<ReadonlyMap<Entry, Outcome>> {
    const outcomes = new Map<Entry, Outcome>();
    const asked: Entry[] = [];
    for (const entry of entries) {
      if (storedVersionOf(entry.value, type) !== undefined) asked.push(entry);
      else outcomes.set(entry, unknownVersion(entry));
    }
    if (asked.length === 0) return outcomes;
    const objects = asked.map(({ value }) => decodeUnconverted(value, type));
    const converted = await this.#webhook.convert(objects, formatGroupVersion(type.group, version.name));
    for (const [index, entry] of asked.entries()) {
      const conversion = converted[index];
      invariant(conversion !== undefined, 'every object of a review has an outcome');
      const outcome =
        'error' in conversion
          ? conversion.error
          : exactCopy(encodeJson(shapeConverted(conversion.object, version)));
      outcomes.set(entry, outcome);
    }
    return outcomes;
  }
}

/** True if an entry needs a conversion webhook for a version. */
export function needsConversion(
  entry: Entry,
  { type, version }: Pick<Represented, 'type' | 'version'>,
): boolean {
  return keptRepresentation(entry, version) === undefined && storedVersionOf(entry.value, type) !== version;
}

/**
 * A shared review may have failed because of an object that this caller does not need: then its own objects are sent
 * again, unless the webhook did not answer at all.
 */
function concernsUs({ blame }: ConversionError, { entries }: Batch, mine: ReadonlySet<Entry>): boolean {
  if (blame !== 'review') return true;
  for (const entry of entries) if (!mine.has(entry)) return false;
  return true;
}

function unknownVersion({ value }: Entry): ConversionError {
  const from = storedApiVersion(value);
  return new ConversionError('object', `request to convert CR from an invalid group/version: ${from}`);
}

/** The entries for one review. */
function* chunksOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let chunk: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const isFull =
      chunk.length === limits.conversionReviewObjectsMax ||
      (chunk.length > 0 && bytes + entry.value.length > limits.conversionReviewBytesMax);
    if (isFull) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(entry);
    bytes += entry.value.length;
  }
  if (chunk.length > 0) yield chunk;
}

import { type JsonObject, own, ownString } from '../../meta/index.ts';

/**
 * All tolerations, without those that another one covers; of equal ones, the first remains.
 * Source: kubernetes, pkg/util/tolerations.
 */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second].map((toleration) => ({ toleration, terms: termsOf(toleration) }));
  const merged: typeof all = [];
  all.forEach((one, index) => {
    if (merged.some(({ terms }) => covers(terms, one.terms))) return;
    const later = all.slice(index + 1);
    if (later.some(({ terms }) => !isSame(one.terms, terms) && covers(terms, one.terms))) return;
    merged.push(one);
  });
  return merged.map(({ toleration }) => toleration);
}

interface Terms {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  readonly effect: string;
  /** Undefined: for ever. */
  readonly seconds: number | undefined;
}

function termsOf(toleration: JsonObject): Terms {
  const text = (field: string) => ownString(toleration, field) ?? '';
  const seconds = own(toleration, 'tolerationSeconds') ?? undefined;
  return {
    key: text('key'),
    operator: text('operator'),
    value: text('value'),
    effect: text('effect'),
    seconds: seconds === undefined ? undefined : Number(seconds),
  };
}

function isSame(one: Terms, other: Terms): boolean {
  return (
    one.key === other.key &&
    one.operator === other.operator &&
    one.value === other.value &&
    one.effect === other.effect &&
    one.seconds === other.seconds
  );
}

/** Whether a toleration tolerates all that another one does. */
function covers(wide: Terms, narrow: Terms): boolean {
  if (isSame(wide, narrow)) return true;
  // An empty key with Exists matches all keys, an empty effect all effects.
  if (narrow.key !== wide.key && (wide.key !== '' || wide.operator !== 'Exists')) return false;
  if (narrow.effect !== wide.effect && wide.effect !== '') return false;
  if (wide.effect === 'NoExecute' && wide.seconds !== undefined) {
    if (narrow.seconds === undefined || narrow.seconds > wide.seconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return narrow.operator === 'Equal' && narrow.value === wide.value && ['', 'Equal'].includes(wide.operator);
}

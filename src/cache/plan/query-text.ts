import type { IndexDefinition } from '../index/index-source.ts';

/** More values than this are only counted. */
const shownMax = 3;

/** A condition as text: `spec.color=blue`, `spec.color in (blue,green)`. */
export function setText<M>(
  { name }: IndexDefinition<M>,
  operator: 'in' | 'notin',
  { buckets }: { readonly buckets: readonly string[] },
): string {
  const [only] = buckets;
  if (buckets.length === 1 && only !== undefined) {
    return `${plainText(name)}${operator === 'in' ? '=' : '!='}${plainText(only)}`;
  }
  const list = buckets.slice(0, shownMax).map(plainText).join(',');
  const more = buckets.length > shownMax ? `,... ${buckets.length - shownMax} more` : '';
  return `${plainText(name)} ${operator} (${list}${more})`;
}

/** A text that is safe in a header. */
export function plainText(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

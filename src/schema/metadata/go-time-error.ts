import { goQuote } from '../../meta/index.ts';

/** A part of the RFC 3339 layout and its range. */
interface LayoutPart {
  readonly name: string;
  readonly pattern: RegExp;
  readonly range?: { readonly what: string; readonly min: number; readonly max: number };
}

const secondParts: readonly LayoutPart[] = [
  { name: '2006', pattern: /^\d{4}/ },
  { name: '-', pattern: /^-/ },
  { name: '01', pattern: /^\d{2}/, range: { what: 'month', min: 1, max: 12 } },
  { name: '-', pattern: /^-/ },
  { name: '02', pattern: /^\d{2}/ },
  { name: 'T', pattern: /^T/ },
  { name: '15', pattern: /^\d{1,2}/, range: { what: 'hour', min: 0, max: 23 } },
  { name: ':', pattern: /^:/ },
  { name: '04', pattern: /^\d{2}/, range: { what: 'minute', min: 0, max: 59 } },
  { name: ':', pattern: /^:/ },
];
const second = { what: 'second', min: 0, max: 59 };
const zone: LayoutPart = { name: 'Z07:00', pattern: /^(?:Z|[+-]\d{2}:\d{2})/ };

interface Layout {
  readonly text: string;
  readonly parts: readonly LayoutPart[];
}

const seconds: Layout = {
  text: '2006-01-02T15:04:05Z07:00',
  parts: [...secondParts, { name: '05', pattern: /^\d{2}(?:[.,]\d+)?/, range: second }, zone],
};

const microseconds: Layout = {
  text: '2006-01-02T15:04:05.000000Z07:00',
  parts: [
    ...secondParts,
    { name: '05', pattern: /^\d{2}/, range: second },
    { name: '.000000', pattern: /^[.,]\d{6}/ },
    zone,
  ],
};

/** Go's message for an invalid RFC 3339 time: the first part of the layout that does not match. */
export function timeErrorText(text: string): string {
  return mistakeOf(text, seconds) ?? `parsing time ${goQuote(text)}: day out of range`;
}

/** {@link timeErrorText} for times with microseconds, which need six digits; undefined for a text of that form. */
export function microTimeErrorText(text: string): string | undefined {
  return mistakeOf(text, microseconds);
}

function mistakeOf(text: string, layout: Layout): string | undefined {
  const head = `parsing time ${goQuote(text)}`;
  let rest = text;
  for (const { name, pattern, range } of layout.parts) {
    const found = pattern.exec(rest);
    if (found === null) return `${head} as "${layout.text}": cannot parse ${goQuote(rest)} as "${name}"`;
    const number = Math.trunc(Number(found[0].replace(',', '.')));
    if (range !== undefined && (number < range.min || number > range.max))
      return `${head}: ${range.what} out of range`;
    rest = rest.slice(found[0].length);
  }
  return rest === '' ? undefined : `${head}: extra text: ${goQuote(rest)}`;
}

/**
 * The tokens of a label selector. White space separates them; the longest operator wins: `!=` is one token, `=!` two.
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export type LabelTokenKind =
  | 'identifier'
  | 'end'
  | ')'
  | '('
  | ','
  | '!'
  | '='
  | '=='
  | '!='
  | '>'
  | '<'
  | 'in'
  | 'notin';

export interface LabelToken {
  readonly kind: LabelTokenKind;
  /** The text of the token, for error messages. */
  readonly text: string;
}

const fixedTokens: ReadonlyMap<string, LabelTokenKind> = new Map(
  ([')', '(', ',', '!', '=', '==', '!=', '>', '<', 'in', 'notin'] as const).map((text) => [text, text]),
);

const whiteSpace = /[ \t\r\n]*/y;
const token = /[!=]=|[=!(),><]|[^=!(),><\0 \t\r\n]+/y;

/**
 * Splits a selector into its tokens; the last one is always `end`. A NUL ends the text; one directly after a word is
 * skipped. Both are upstream's behaviour.
 */
export function scanLabelSelector(text: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  for (;;) {
    take(whiteSpace);
    const word = take(token);
    if (word === '') return [...tokens, { kind: 'end', text: '' }];
    tokens.push({ kind: fixedTokens.get(word) ?? 'identifier', text: word });
    if (text[at] === '\0') at += 1;
  }
}

/** The properties of a string that decide its possible styles. */
export interface TextTraits {
  readonly multiline: boolean;
  readonly leadingSpace: boolean;
  readonly leadingBreak: boolean;
  readonly plainAllowed: boolean;
  readonly singleQuotedAllowed: boolean;
  readonly literalAllowed: boolean;
}

const lineBreak = /[\n\r\u0085\u2028\u2029]/;
const notPrintable = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
/** Some decoders read line breaks other than `\n` as spaces: strings with these are escaped. */
const oddBreak = /[\u2028\u2029]/;
/** Characters that cannot start a plain scalar, and sequences that none contains. */
const indicator = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:\s|$)|---|\.\.\.)|:(?:\s|$)|\s#/;

export function isBreak(char: string): boolean {
  return lineBreak.test(char);
}

/** Examines a string as libyaml does before it chooses a style. */
export function textTraits(text: string): TextTraits {
  const multiline = lineBreak.test(text);
  const special = notPrintable.test(text) || oddBreak.test(text) || / \n/.test(text);
  const leadingSpace = text.startsWith(' ');
  const leadingBreak = text.startsWith('\n');
  const trailingSpace = text.endsWith(' ');
  const breakSpace = /\n /.test(text);
  const atEdge = leadingSpace || leadingBreak || trailingSpace || text.endsWith('\n');
  return {
    multiline,
    leadingSpace,
    leadingBreak,
    plainAllowed: !(atEdge || breakSpace || special || multiline || indicator.test(text)),
    singleQuotedAllowed: !(breakSpace || special),
    literalAllowed: text !== '' && !trailingSpace && !special,
  };
}

/** The token kinds, named as in the grammar's error messages. */
export type TokenKind =
  | "'=='"
  | "'!='"
  | "'in'"
  | "'<'"
  | "'<='"
  | "'>='"
  | "'>'"
  | "'&&'"
  | "'||'"
  | "'['"
  | "']'"
  | "'{'"
  | "'}'"
  | "'('"
  | "')'"
  | "'.'"
  | "','"
  | "'-'"
  | "'!'"
  | "'?'"
  | "':'"
  | "'+'"
  | "'*'"
  | "'/'"
  | "'%'"
  | "'true'"
  | "'false'"
  | "'null'"
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | '<EOF>';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 offset of the first character. */
  readonly start: number;
}

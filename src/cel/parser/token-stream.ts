import type { Token, TokenKind } from './token.ts';

/** An unexpected token; diagnose-syntax.ts produces the message. */
export class Unparsable extends Error {}

/** A cursor over tokens that end with `<EOF>`. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #last: Token;
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#last = tokens.at(-1) ?? { kind: '<EOF>', text: '<EOF>', start: 0 };
  }

  /** The token at a look-ahead; `<EOF>` beyond the end. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#position + ahead] ?? this.#last;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== '<EOF>') this.#position++;
    return token;
  }

  /** The next token if it has that kind. */
  accept(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.next() : undefined;
  }

  expect(kind: TokenKind): Token {
    const token = this.peek();
    if (token.kind !== kind) throw new Unparsable();
    return this.next();
  }
}

import type { Issue } from '../ast/issue.ts';
import { parserLimits } from './limits.ts';
import type { Token, TokenKind } from './token.ts';
import { formatSet, type TokenSet } from './token-sets.ts';

/** A rule failed; its caller can continue. */
class RuleFailed extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Parsing must stop. */
export class GivenUp extends Error {}

/** The tokens that may follow a rule, and whether its caller may end there. */
export interface Follow {
  readonly tokens: TokenSet;
  readonly mayEnd: boolean;
}

/** The maximum number of recoveries. */
const maxRecoveries = 30;

/**
 * ANTLR's error recovery, which determines the reported errors: an extra token is skipped, a missing one is assumed,
 * and otherwise the rule ends and tokens are skipped until one is expected. After an error, nothing is reported until a
 * token has been accepted.
 */
export class ErrorRecovery {
  readonly issues: Issue[] = [];
  readonly #tokens: readonly Token[];
  readonly #source: string;
  readonly #follows: Follow[] = [];
  #position = 0;
  #recovering = false;
  #recoveries = 0;
  #lastFailure = -1;

  constructor(tokens: readonly Token[], source: string) {
    this.#tokens = tokens;
    this.#source = source;
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new GivenUp();
    return token;
  }

  kind(ahead = 0): TokenKind {
    return this.peek(ahead).kind;
  }

  /** Runs a rule. If it fails, skips tokens up to an expected one. */
  rule(follow: Follow, body: () => void): void {
    this.#follows.push(follow);
    if (this.#follows.length > 16 * parserLimits.recursionDepth) throw new GivenUp();
    try {
      body();
    } catch (error) {
      if (!(error instanceof RuleFailed)) throw error;
      this.#report(error.issue);
      this.#recover();
    } finally {
      this.#follows.pop();
    }
  }

  /** Consumes a token of one kind. */
  match(kind: TokenKind, next: TokenSet | undefined): void {
    if (this.kind() === kind) {
      this.#accept();
      return;
    }
    this.#count();
    const expected = new Set([kind]);
    if (this.#skipOne(expected)) {
      this.#accept();
      return;
    }
    // If the token were present, the next one would be valid.
    if ((next ?? this.#followInContext()).has(this.kind())) {
      this.#report({ message: `missing ${kind} at ${this.#shown()}`, offset: this.peek().start });
      return;
    }
    throw this.#mismatch(expected);
  }

  /** Consumes any token. */
  take(): void {
    this.#accept();
  }

  /** Expects one of some tokens: skips one token before it, or fails. */
  sync(expected: TokenSet): void {
    if (this.#recovering || expected.has(this.kind()) || this.#skipOne(expected)) return;
    throw this.#mismatch(expected);
  }

  /** The same after an iteration of a loop: skips up to an expected token. */
  syncLoop(expected: TokenSet): void {
    if (this.#recovering || expected.has(this.kind())) return;
    this.#report({ message: this.#unwanted(expected), offset: this.peek().start });
    const wanted = this.#recoverySet();
    this.#skipTo((kind) => expected.has(kind) || wanted.has(kind));
  }

  /** No alternative matches the tokens from here to this look-ahead. */
  noAlternative(ahead: number): never {
    const start = this.peek();
    const offending = this.peek(ahead);
    const text = start.kind === '<EOF>' ? '<EOF>' : this.#textUpTo(ahead);
    const reserved = /^\.(true|false|null)$/.exec(text)?.[1];
    const message =
      reserved === undefined
        ? `no viable alternative at input ${quoted(text)}`
        : `mismatched input '${reserved}' expecting IDENTIFIER`;
    throw new RuleFailed({ message: `Syntax error: ${message}`, offset: offending.start });
  }

  /** The tokens and the space between them, without unrecognized characters. */
  #textUpTo(ahead: number): string {
    let text = '';
    let end = this.peek().start;
    for (let index = 0; index <= ahead; index++) {
      const token = this.peek(index);
      if (token.kind === '<EOF>') break;
      text += this.#source.slice(end, token.start).replace(/\S+/gu, '') + token.text;
      end = token.start + token.text.length;
    }
    return text;
  }

  #accept(): void {
    this.#recovering = false;
    this.#skip();
  }

  #skip(): void {
    if (this.kind() !== '<EOF>') this.#position++;
  }

  #skipOne(expected: TokenSet): boolean {
    if (!expected.has(this.kind(1)) || this.kind() === '<EOF>') return false;
    this.#report({ message: this.#unwanted(expected), offset: this.peek().start });
    this.#skip();
    this.#recovering = false;
    return true;
  }

  #unwanted(expected: TokenSet): string {
    return `extraneous input ${this.#shown()} expecting ${formatSet(expected)}`;
  }

  #mismatch(expected: TokenSet): RuleFailed {
    const message = `Syntax error: mismatched input ${this.#shown()} expecting ${formatSet(expected)}`;
    return new RuleFailed({ message, offset: this.peek().start });
  }

  #shown(): string {
    return quoted(this.peek().text);
  }

  #report(issue: Issue): void {
    if (this.#recovering) return;
    this.#recovering = true;
    const message = issue.message.startsWith('Syntax error: ')
      ? issue.message
      : `Syntax error: ${issue.message}`;
    this.issues.push({ message, offset: issue.offset });
  }

  #recover(): void {
    this.#count();
    if (this.#lastFailure === this.#position) this.#skip();
    this.#lastFailure = this.#position;
    const wanted = this.#recoverySet();
    this.#skipTo((kind) => wanted.has(kind));
  }

  #skipTo(stop: (kind: TokenKind) => boolean): void {
    while (this.kind() !== '<EOF>' && !stop(this.kind())) this.#skip();
  }

  #count(): void {
    if (this.#recoveries++ < maxRecoveries) return;
    const message = `Syntax error: error recovery attempt limit exceeded: ${maxRecoveries}`;
    this.issues.push({ message, offset: this.peek().start });
    throw new GivenUp();
  }

  #recoverySet(): TokenSet {
    return new Set(this.#follows.flatMap(({ tokens }) => [...tokens]));
  }

  /** The tokens that may follow the current rule. */
  #followInContext(): TokenSet {
    const tokens = new Set<TokenKind>();
    for (const follow of this.#follows.toReversed()) {
      for (const token of follow.tokens) tokens.add(token);
      if (!follow.mayEnd) break;
    }
    return tokens;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;
}

import type { Issue } from '../ast/issue.ts';
import { ErrorRecovery, type Follow, GivenUp } from './error-recovery.ts';
import type { Token, TokenKind } from './token.ts';
import {
  calcOperators,
  firstOfExpr,
  firstOfMember,
  firstOfOptional,
  relationOperators,
  setOf,
  type TokenSet,
} from './token-sets.ts';

/**
 * Produces cel-go's messages for tokens that do not parse. The main parser only detects the error; this one follows the
 * grammar like cel-go's generated parser, with the same look-ahead and recovery.
 */
export function diagnoseSyntax(tokens: readonly Token[], source: string): Issue[] {
  const walk = new GrammarWalk(tokens, source);
  try {
    walk.start();
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  }
  return walk.recovery.issues;
}

function followedBy(...tokens: TokenKind[]): Follow {
  return { tokens: setOf(...tokens), mayEnd: false };
}

function optionallyBy(...tokens: (TokenKind | TokenSet)[]): Follow {
  return { tokens: setOf(...tokens), mayEnd: true };
}

const atEnd: Follow = optionallyBy();
const inChain = optionallyBy("'.'", "'['");
const beforeComma = optionallyBy("','");

class GrammarWalk {
  readonly recovery: ErrorRecovery;

  constructor(tokens: readonly Token[], source: string) {
    this.recovery = new ErrorRecovery(tokens, source);
  }

  start(): void {
    this.recovery.rule(atEnd, () => {
      this.#expr(followedBy('<EOF>'));
      this.recovery.match('<EOF>', setOf());
    });
  }

  #expr(follow: Follow): void {
    this.recovery.rule(follow, () => {
      this.#or(optionallyBy("'?'"));
      if (this.recovery.kind() !== "'?'") return;
      this.recovery.take();
      this.#or(followedBy("':'"));
      this.recovery.match("':'", firstOfExpr);
      this.#expr(atEnd);
    });
  }

  #or(follow: Follow): void {
    this.#chain(follow, "'||'", () => this.#and(optionallyBy("'||'")));
  }

  #and(follow: Follow): void {
    this.#chain(follow, "'&&'", () => this.#relation(optionallyBy("'&&'")));
  }

  #chain(follow: Follow, operator: TokenKind, operand: () => void): void {
    this.recovery.rule(follow, () => {
      operand();
      while (this.recovery.kind() === operator) {
        this.recovery.take();
        operand();
      }
    });
  }

  #relation(follow: Follow): void {
    this.recovery.rule(follow, () => {
      this.#calc(optionallyBy(relationOperators));
      while (relationOperators.has(this.recovery.kind())) {
        this.recovery.take();
        this.recovery.rule(optionallyBy(relationOperators), () =>
          this.#calc(optionallyBy(relationOperators)),
        );
      }
    });
  }

  #calc(follow: Follow): void {
    this.recovery.rule(follow, () => {
      this.#unary();
      while (calcOperators.has(this.recovery.kind())) {
        this.recovery.take();
        this.recovery.rule(optionallyBy(calcOperators), () => this.#unary());
      }
    });
  }

  #unary(): void {
    this.recovery.rule(optionallyBy(calcOperators), () => {
      this.recovery.sync(firstOfExpr);
      const kind = this.recovery.kind();
      if (kind === "'!'") return this.#negated();
      if (kind !== "'-'") return this.#member();
      const next = this.recovery.kind(1);
      if (next === 'NUM_INT' || next === 'NUM_FLOAT') return this.#member();
      while (this.recovery.kind() === "'-'") {
        if (!firstOfMember.has(this.recovery.kind(1))) this.recovery.noAlternative(1);
        this.recovery.take();
      }
      this.#member();
    });
  }

  #negated(): void {
    while (this.recovery.kind() === "'!'") {
      this.recovery.take();
      this.recovery.syncLoop(firstOfExpr);
    }
    this.#member();
  }

  #member(): void {
    this.recovery.rule(atEnd, () => {
      this.#primary();
      for (;;) {
        const kind = this.recovery.kind();
        if (kind === "'['") this.#index();
        else if (kind === "'.'") this.#selection();
        else return;
      }
    });
  }

  #index(): void {
    this.recovery.take();
    this.recovery.sync(firstOfOptional);
    if (this.recovery.kind() === "'?'") this.recovery.take();
    this.#expr(followedBy("']'"));
    this.recovery.match("']'", undefined);
  }

  #selection(): void {
    const next = this.recovery.kind(1);
    if (next !== "'?'" && next !== 'IDENTIFIER' && next !== 'ESC_IDENTIFIER') this.recovery.noAlternative(1);
    this.recovery.take();
    if (next === "'?'") this.recovery.take();
    if (next !== 'IDENTIFIER' || this.recovery.kind(1) !== "'('") this.#escapedIdentifier(inChain);
    else {
      this.recovery.take();
      this.#arguments();
    }
  }

  #escapedIdentifier(follow: Follow): void {
    this.recovery.rule(follow, () => {
      this.recovery.sync(setOf('IDENTIFIER', 'ESC_IDENTIFIER'));
      this.recovery.take();
    });
  }

  #arguments(): void {
    this.recovery.take();
    this.recovery.sync(setOf(firstOfExpr, "')'"));
    if (firstOfExpr.has(this.recovery.kind())) {
      this.recovery.rule(followedBy("')'"), () => this.#list("','", () => this.#expr(beforeComma)));
    }
    this.recovery.match("')'", undefined);
  }

  #list(separator: TokenKind, item: () => void): void {
    item();
    while (this.recovery.kind() === separator) {
      this.recovery.take();
      item();
    }
  }

  #primary(): void {
    this.recovery.rule(inChain, () => {
      this.recovery.sync(firstOfMember);
      switch (this.recovery.kind()) {
        case "'('":
          this.recovery.take();
          this.#expr(followedBy("')'"));
          return this.recovery.match("')'", undefined);
        case "'['":
          return this.#literalOf("']'", firstOfOptional, () => this.#optionalExpr(beforeComma));
        case "'{'":
          return this.#literalOf("'}'", firstOfOptional, () => this.#entry());
        case "'.'":
        case 'IDENTIFIER':
          return this.#name();
        default:
          return this.#literal();
      }
    });
  }

  #name(): void {
    if (this.recovery.kind() === "'.'" && this.recovery.kind(1) !== 'IDENTIFIER')
      this.recovery.noAlternative(1);
    let ahead = this.recovery.kind() === "'.'" ? 1 : 0;
    const afterName = ahead + 1;
    while (this.recovery.kind(ahead + 1) === "'.'" && this.recovery.kind(ahead + 2) === 'IDENTIFIER')
      ahead += 2;
    const length = this.recovery.kind(ahead + 1) === "'{'" ? ahead + 1 : afterName;
    for (let taken = 0; taken < length; taken++) this.recovery.take();
    if (this.recovery.kind() === "'{'" && length === ahead + 1) {
      this.#literalOf("'}'", setOf("'?'", 'IDENTIFIER', 'ESC_IDENTIFIER'), () => this.#field());
    } else if (this.recovery.kind() === "'('") this.#arguments();
  }

  /** A bracketed list with an optional trailing comma. */
  #literalOf(close: TokenKind, first: TokenSet, item: () => void): void {
    this.recovery.take();
    this.recovery.sync(setOf(first, "','", close));
    if (first.has(this.recovery.kind())) {
      this.recovery.rule({ tokens: setOf("','", close), mayEnd: false }, () => {
        item();
        while (this.recovery.kind() === "','" && first.has(this.recovery.kind(1))) {
          this.recovery.take();
          item();
        }
      });
    }
    this.recovery.sync(setOf("','", close));
    if (this.recovery.kind() === "','") this.recovery.take();
    this.recovery.match(close, undefined);
  }

  #optionalExpr(follow: Follow): void {
    this.recovery.rule(follow, () => {
      if (this.recovery.kind() === "'?'") this.recovery.take();
      this.#expr(atEnd);
    });
  }

  #entry(): void {
    this.#optionalExpr(followedBy("':'"));
    this.recovery.match("':'", firstOfExpr);
    this.#expr(beforeComma);
  }

  #field(): void {
    this.recovery.rule(followedBy("':'"), () => {
      if (this.recovery.kind() === "'?'") this.recovery.take();
      this.#escapedIdentifier(atEnd);
    });
    this.recovery.match("':'", firstOfExpr);
    this.#expr(beforeComma);
  }

  #literal(): void {
    this.recovery.rule(atEnd, () => {
      const kind = this.recovery.kind();
      if (kind === "'-'") {
        const next = this.recovery.kind(1);
        if (next !== 'NUM_INT' && next !== 'NUM_FLOAT') this.recovery.noAlternative(1);
        this.recovery.take();
      } else if (!firstOfMember.has(kind)) this.recovery.noAlternative(0);
      this.recovery.take();
    });
  }
}

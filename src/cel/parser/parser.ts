import type { Ast, Expr, MapEntry, StructField } from '../ast/expression.ts';
import { CelIssues, type Issue } from '../ast/issue.ts';
import { codePointLength } from '../values/text.ts';
import { Depths, TooDeep } from './depths.ts';
import { parserLimits } from './limits.ts';
import { bytesLiteral, Invalid, numberLiteral, stringLiteral } from './literal.ts';
import { tokenize } from './lexer.ts';
import { balancedLogic } from './logic-tree.ts';
import { MacroBuilder, MacroError } from './macro.ts';
import { findMacro, type MacroTable } from './macro-table.ts';
import { NodeFactory } from './node-factory.ts';
import { reservedWords } from './reserved-words.ts';
import { diagnoseSyntax } from './diagnose-syntax.ts';
import type { Token, TokenKind } from './token.ts';
import { TokenStream, Unparsable } from './token-stream.ts';

interface ParseOptions {
  readonly macros: MacroTable;
  /** Whether `a.?b`, `a[?i]`, `[?e]` and `{?k: v}` are enabled. */
  readonly optionalSyntax: boolean;
  /** Whether backquoted field names are enabled: a.`b-c`. */
  readonly escapedIdentifiers: boolean;
  /** The maximum nesting depth, if it differs from cel-go's. */
  readonly recursionDepth?: number;
}

/** Parses an expression. Throws CelIssues with cel-go's messages. */
export function parseExpression(source: string, options: ParseOptions): Ast {
  const size = source.length <= parserLimits.expressionCodePoints ? 0 : codePointLength(source);
  if (size > parserLimits.expressionCodePoints) {
    const limit = parserLimits.expressionCodePoints;
    const message = `expression code point size exceeds limit: size: ${size}, limit ${limit}`;
    throw new CelIssues(source, [{ message, offset: -1 }]);
  }
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(new TokenStream(tokens), options);
  try {
    const expr = parser.start();
    if (issues.length === 0 && parser.issues.length === 0)
      return { expr, source, offsets: parser.factory.offsets };
    throw new CelIssues(source, [...issues, ...parser.issues]);
  } catch (error) {
    if (error instanceof Unparsable)
      throw new CelIssues(source, [...issues, ...diagnoseSyntax(tokens, source)]);
    if (error instanceof TooDeep) throw new CelIssues(source, [{ message: error.message, offset: -1 }]);
    throw error;
  }
}

const relations = new Set<TokenKind>(["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"]);
const operatorNames: Partial<Record<string, string>> = { in: '@in' };

/** A parsed call before macro expansion; `target` for member calls. */
type ParsedCall = { readonly name: string; readonly args: Expr[]; readonly target?: Expr };

/** A recursive descent over https://github.com/google/cel-go/blob/master/parser/gen/CEL.g4. */
class Parser {
  readonly factory = new NodeFactory();
  readonly issues: Issue[] = [];
  readonly #tokens: TokenStream;
  readonly #options: ParseOptions;
  readonly #depths: Depths;

  constructor(tokens: TokenStream, options: ParseOptions) {
    this.#tokens = tokens;
    this.#options = options;
    this.#depths = new Depths(options.recursionDepth ?? parserLimits.recursionDepth);
  }

  start(): Expr {
    const expr = this.#expr();
    this.#tokens.expect('<EOF>');
    return expr;
  }

  #expr(): Expr {
    this.#depths.enter();
    const condition = this.#or();
    const question = this.#tokens.accept("'?'");
    const expr = question === undefined ? condition : this.#conditional(condition, question);
    this.#depths.leave();
    return expr;
  }

  #conditional(condition: Expr, question: Token): Expr {
    const id = this.#idOf(question);
    const yes = this.#or();
    this.#tokens.expect("':'");
    return this.factory.call(id, '_?_:_', [condition, yes, this.#expr()]);
  }

  #or(): Expr {
    return this.#chain("'||'", '_||_', () => this.#and());
  }

  #and(): Expr {
    return this.#chain("'&&'", '_&&_', () => this.#relation());
  }

  #chain(kind: TokenKind, name: '_&&_' | '_||_', operand: () => Expr): Expr {
    const terms = [operand()];
    const ids: number[] = [];
    for (let token = this.#tokens.accept(kind); token !== undefined; token = this.#tokens.accept(kind)) {
      terms.push(operand());
      ids.push(this.#idOf(token));
    }
    return this.#depths.above(balancedLogic(this.factory, name, terms, ids), 0, terms);
  }

  #relation(): Expr {
    let left = this.#sum();
    while (relations.has(this.#tokens.peek().kind)) {
      left = this.#binary(left, () => this.#sum());
    }
    return left;
  }

  #sum(): Expr {
    let left = this.#product();
    for (;;) {
      const { kind } = this.#tokens.peek();
      if (kind !== "'+'" && kind !== "'-'") break;
      left = this.#binary(left, () => this.#product());
    }
    return left;
  }

  #product(): Expr {
    let left = this.#unary();
    for (;;) {
      const { kind } = this.#tokens.peek();
      if (kind !== "'*'" && kind !== "'/'" && kind !== "'%'") return left;
      left = this.#binary(left, () => this.#unary());
    }
  }

  #binary(left: Expr, operand: () => Expr): Expr {
    const operator = this.#tokens.next();
    const id = this.#idOf(operator);
    const name = operatorNames[operator.text] ?? `_${operator.text}_`;
    const right = operand();
    return this.#depths.above(this.factory.call(id, name, [left, right]), 1, [left, right]);
  }

  #unary(): Expr {
    const first = this.#tokens.peek();
    if (first.kind === "'!'") return this.#prefixed(first, '!_');
    if (first.kind !== "'-'") return this.#member();
    const next = this.#tokens.peek(1).kind;
    // A single minus before a number belongs to the literal: -9223372036854775808 is an int.
    if (next === 'NUM_INT' || next === 'NUM_FLOAT') return this.#member();
    return this.#prefixed(first, '-_');
  }

  #prefixed(first: Token, name: '!_' | '-_'): Expr {
    let count = 0;
    while (this.#tokens.accept(first.kind) !== undefined) count++;
    if (count % 2 === 0) return this.#member();
    const id = this.#idOf(first);
    const operand = this.#member();
    return this.#depths.above(this.factory.call(id, name, [operand]), 0, [operand]);
  }

  #member(): Expr {
    let operand = this.#primary();
    for (;;) {
      const token = this.#tokens.peek();
      if (token.kind !== "'.'" && token.kind !== "'['") break;
      operand = token.kind === "'['" ? this.#index(operand) : this.#selection(operand);
    }
    return operand;
  }

  #index(operand: Expr): Expr {
    const bracket = this.#tokens.next();
    const id = this.#idOf(bracket);
    const optional = this.#optionalMark(bracket, '[?');
    const index = this.#expr();
    this.#tokens.expect("']'");
    return this.#nestedCall(id, { name: optional ? '_[?_]' : '_[_]', args: [operand, index] }, 1);
  }

  #selection(operand: Expr): Expr {
    const dot = this.#tokens.next();
    const optional = this.#optionalMark(dot, '.?');
    const name = this.#tokens.peek();
    if (!optional && name.kind === 'IDENTIFIER' && this.#tokens.peek(1).kind === "'('") {
      this.#tokens.next();
      return this.#memberCall(operand, name.text);
    }
    const field = this.#fieldName();
    const id = this.#idOf(dot);
    const selected = optional
      ? this.factory.call(id, '_?._', [operand, this.factory.constant(this.#idOf(name), field)])
      : this.factory.select(id, operand, field);
    return this.#depths.above(selected, 1, [operand]);
  }

  #memberCall(target: Expr, name: string): Expr {
    const id = this.#idOf(this.#tokens.expect("'('"));
    return this.#nestedCall(id, { name, args: this.#args(), target }, 1);
  }

  #fieldName(): string {
    const escaped = this.#tokens.accept('ESC_IDENTIFIER');
    if (escaped === undefined) return this.#tokens.expect('IDENTIFIER').text;
    if (this.#options.escapedIdentifiers) return escaped.text.slice(1, -1);
    this.#report(escaped, "unsupported syntax: '`'");
    return '';
  }

  #optionalMark(place: Token, form: string): boolean {
    if (this.#tokens.accept("'?'") === undefined) return false;
    if (!this.#options.optionalSyntax) this.#report(place, `unsupported syntax '${form}'`);
    return true;
  }

  #args(): Expr[] {
    if (this.#tokens.accept("')'") !== undefined) return [];
    const args = [this.#expr()];
    while (this.#tokens.accept("','") !== undefined) args.push(this.#expr());
    this.#tokens.expect("')'");
    return args;
  }

  #primary(): Expr {
    const token = this.#tokens.peek();
    switch (token.kind) {
      case "'.'":
      case 'IDENTIFIER':
        return this.#structLength() === undefined ? this.#name() : this.#struct();
      case "'('": {
        this.#tokens.next();
        const inner = this.#expr();
        this.#tokens.expect("')'");
        return inner;
      }
      case "'['":
        return this.#list();
      case "'{'":
        return this.#map();
      default:
        return this.#literal();
    }
  }

  #name(): Expr {
    const first = this.#tokens.peek();
    const dot = this.#tokens.accept("'.'") === undefined ? '' : '.';
    const token = this.#tokens.expect('IDENTIFIER');
    const paren = this.#tokens.accept("'('");
    const name = dot + token.text;
    if (reservedWords.has(token.text)) {
      if (paren !== undefined) this.#args();
      return this.#report(first, `reserved identifier: ${token.text}`);
    }
    if (paren === undefined) return this.factory.ident(this.#idOf(token), name);
    const id = this.#idOf(paren);
    return this.#nestedCall(id, { name, args: this.#args() }, 0);
  }

  /** The number of tokens of `a.b.C{`; undefined if no brace follows the name. */
  #structLength(): number | undefined {
    let ahead = this.#tokens.peek().kind === "'.'" ? 1 : 0;
    for (;;) {
      if (this.#tokens.peek(ahead).kind !== 'IDENTIFIER') return undefined;
      const { kind } = this.#tokens.peek(ahead + 1);
      if (kind === "'{'") return ahead + 2;
      if (kind !== "'.'") return undefined;
      ahead += 2;
    }
  }

  #struct(): Expr {
    let name = '';
    let brace = this.#tokens.next();
    for (; brace.kind !== "'{'"; brace = this.#tokens.next()) name += brace.text;
    const id = this.#idOf(brace);
    const fields: StructField[] = [];
    this.#items("'}'", (token) => fields.push(this.#structField(token)));
    const values = fields.map(({ value }) => value);
    return this.#depths.above(this.factory.struct(id, name, fields), 0, values);
  }

  #structField(token: Token): StructField {
    const optional = this.#optionalMark(token, '?');
    const name = this.#fieldName();
    const id = this.#idOf(this.#tokens.expect("':'"));
    return { id, name, value: this.#expr(), optional };
  }

  #list(): Expr {
    const id = this.#idOf(this.#tokens.next());
    const elements: Expr[] = [];
    const optionals = new Set<number>();
    this.#items("']'", (token) => {
      if (this.#optionalMark(token, '?')) optionals.add(elements.length);
      elements.push(this.#expr());
    });
    return this.#depths.above(this.factory.list(id, elements, optionals), 0, elements);
  }

  #map(): Expr {
    const id = this.#idOf(this.#tokens.next());
    const entries: MapEntry[] = [];
    this.#items("'}'", (token) => entries.push(this.#mapEntry(token)));
    const parts = entries.flatMap((entry) => [entry.key, entry.value]);
    return this.#depths.above(this.factory.map(id, entries), 0, parts);
  }

  #mapEntry(token: Token): MapEntry {
    // cel-go numbers the entry, positioned at its colon, before the key.
    const id = this.#idOf(token);
    const optional = this.#optionalMark(token, '?');
    const key = this.#expr();
    this.factory.idAt(id, this.#tokens.expect("':'").start);
    return { id, key, value: this.#expr(), optional };
  }

  /** Comma-separated items up to the closing token; a trailing comma is allowed, even without items. */
  #items(close: TokenKind, item: (token: Token) => void): void {
    if (this.#tokens.peek().kind === "','") this.#tokens.next();
    else if (this.#tokens.peek().kind !== close) {
      item(this.#tokens.peek());
      while (this.#tokens.accept("','") !== undefined && this.#tokens.peek().kind !== close) {
        item(this.#tokens.peek());
      }
    }
    this.#tokens.expect(close);
  }

  #literal(): Expr {
    const token = this.#tokens.next();
    switch (token.kind) {
      case "'true'":
      case "'false'":
        return this.factory.constant(this.#idOf(token), token.kind === "'true'");
      case "'null'":
        return this.factory.constant(this.#idOf(token), null);
      case 'STRING':
        return this.#constant(token, stringLiteral(token.text));
      case 'BYTES':
        return this.#constant(token, bytesLiteral(token.text));
      case "'-'": {
        const digits = this.#tokens.next();
        if (digits.kind !== 'NUM_INT' && digits.kind !== 'NUM_FLOAT') throw new Unparsable();
        return this.#constant(token, numberLiteral(digits.kind, digits.text, true));
      }
      case 'NUM_INT':
      case 'NUM_UINT':
      case 'NUM_FLOAT':
        return this.#constant(token, numberLiteral(token.kind, token.text, false));
      default:
        throw new Unparsable();
    }
  }

  #constant(token: Token, value: ReturnType<typeof numberLiteral>): Expr {
    return value instanceof Invalid
      ? this.#report(token, value.message)
      : this.factory.constant(this.#idOf(token), value);
  }

  /** A call or an expanded macro, which nests `step` levels above its operands. */
  #nestedCall(id: number, call: ParsedCall, step: 0 | 1): Expr {
    const { args, target } = call;
    const parsed = this.#callOrMacro(id, call);
    return this.#depths.above(parsed, step, target === undefined ? args : [target, ...args]);
  }

  #callOrMacro(id: number, { name, args, target }: ParsedCall): Expr {
    const form = { name, argCount: args.length, member: target !== undefined };
    const macro = findMacro(this.#options.macros, form);
    if (macro !== undefined) {
      const expanded = macro.expand(new MacroBuilder(this.factory, this.factory.offsetOf(id)), args, target);
      if (expanded instanceof MacroError) {
        this.issues.push({ message: expanded.message, offset: this.factory.offsetOf(expanded.exprId) });
        return this.factory.constant(id, null);
      }
      if (expanded !== undefined) {
        this.factory.dropId(id);
        return expanded;
      }
    }
    return this.factory.call(id, name, args, target);
  }

  #idOf(token: Token): number {
    return this.factory.id(token.start);
  }

  /** Records an issue and returns a placeholder node. */
  #report(token: Token, message: string): Expr {
    this.issues.push({ message, offset: token.start });
    return this.factory.constant(this.#idOf(token), null);
  }
}

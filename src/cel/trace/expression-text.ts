import type { CallExpr, ComprehensionExpr, Expr } from '../ast/expression.ts';
import type { CheckedAst } from '../checker/checked-ast.ts';
import { valueText } from './value-text.ts';

const charsMax = 400;

/** Binary operators and their precedence. */
const binary: ReadonlyMap<string, readonly [operator: string, level: number]> = new Map([
  ['_||_', ['||', 2]],
  ['_&&_', ['&&', 3]],
  ['_==_', ['==', 4]],
  ['_!=_', ['!=', 4]],
  ['_<_', ['<', 4]],
  ['_<=_', ['<=', 4]],
  ['_>_', ['>', 4]],
  ['_>=_', ['>=', 4]],
  ['@in', ['in', 4]],
  ['_+_', ['+', 5]],
  ['_-_', ['-', 5]],
  ['_*_', ['*', 6]],
  ['_/_', ['/', 6]],
  ['_%_', ['%', 6]],
]);
const levels = { conditional: 1, unary: 7, member: 8 } as const;

/**
 * The source text of a part of an expression, with minimal parentheses. The body of a loop macro is `…`: `self.all(x,
 * …)`.
 */
export function expressionText(expr: Expr, ast: Pick<CheckedAst, 'source' | 'offsets'>): string {
  const text = new ExpressionWriter(ast).at(expr, 0);
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text;
}

class ExpressionWriter {
  readonly #ast: Pick<CheckedAst, 'source' | 'offsets'>;

  constructor(ast: Pick<CheckedAst, 'source' | 'offsets'>) {
    this.#ast = ast;
  }

  /** Adds parentheses if the context binds more tightly than `level`. */
  at(expr: Expr, level: number): string {
    const [text, own] = this.#write(expr);
    return own < level ? `(${text})` : text;
  }

  #write(expr: Expr): readonly [text: string, level: number] {
    const { member } = levels;
    switch (expr.kind) {
      case 'const':
        return [valueText(expr.value, charsMax), member];
      case 'ident':
        return [expr.name, member];
      case 'select': {
        const text = `${this.at(expr.operand, member)}.${expr.field}`;
        return [expr.test ? `has(${text})` : text, member];
      }
      case 'call':
        return this.#call(expr);
      case 'list':
        return [
          `[${expr.elements.map((one, index) => `${expr.optionals.has(index) ? '?' : ''}${this.at(one, 0)}`).join(', ')}]`,
          member,
        ];
      case 'map':
        return [
          `{${expr.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${this.at(key, 0)}: ${this.at(value, 0)}`).join(', ')}}`,
          member,
        ];
      case 'struct':
        return [
          `${expr.typeName}{${expr.fields.map(({ name, value, optional }) => `${optional ? '?' : ''}${name}: ${this.at(value, 0)}`).join(', ')}}`,
          member,
        ];
      case 'comprehension':
        return [this.#macro(expr), member];
    }
  }

  #call({ name, target, args }: CallExpr): readonly [text: string, level: number] {
    const { conditional, unary, member } = levels;
    const [first, second, third] = args;
    if (target === undefined && first !== undefined) {
      const operator = binary.get(name);
      if (operator !== undefined && second !== undefined) {
        const [sign, level] = operator;
        return [`${this.at(first, level)} ${sign} ${this.at(second, level + 1)}`, level];
      }
      if (name === '!_' || name === '-_') return [`${name.slice(0, 1)}${this.at(first, unary)}`, unary];
      if (second !== undefined && (name === '_[_]' || name === '_[?_]'))
        return [`${this.at(first, member)}[${name === '_[_]' ? '' : '?'}${this.at(second, 0)}]`, member];
      if (name === '_?._' && second?.kind === 'const')
        return [`${this.at(first, member)}.?${String(second.value)}`, member];
      if (name === '_?_:_' && second !== undefined && third !== undefined)
        return [
          `${this.at(first, conditional + 1)} ? ${this.at(second, conditional + 1)} : ${this.at(third, conditional)}`,
          conditional,
        ];
    }
    const before = target === undefined ? '' : `${this.at(target, member)}.`;
    return [`${before}${name}(${args.map((one) => this.at(one, 0)).join(', ')})`, member];
  }

  /** The name of the macro is in the source, before the parenthesis. */
  #macro(expr: ComprehensionExpr): string {
    const { source, offsets } = this.#ast;
    const offset = offsets[expr.id] ?? 0;
    const name =
      /([A-Za-z_]\w*)\s*$/.exec(source.slice(0, offset))?.[1] ??
      /^\.?\s*([A-Za-z_]\w*)/.exec(source.slice(offset))?.[1] ??
      'loop';
    if (isBinding(expr)) return `cel.bind(${expr.accuVar}, …)`;
    const variables = expr.iterVar2 === undefined ? expr.iterVar : `${expr.iterVar}, ${expr.iterVar2}`;
    return `${this.at(expr.range, levels.member)}.${name}(${variables}, …)`;
  }
}

/** Whether it only binds a name and loops over nothing. */
export function isBinding({ accuVar }: ComprehensionExpr): boolean {
  return !accuVar.startsWith('@');
}

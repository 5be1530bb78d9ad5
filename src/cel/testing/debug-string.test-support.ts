import type { Expr } from '../ast/expression.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { CelUint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';

/** The suffix of a node or an entry; `undefined` for entries. */
type Adorn = (expr: Expr | undefined, what: 'expr' | 'entry' | 'field') => string;

/** A tree in the format of cel-go's debug package, which its tests use. */
export function debugString(expr: Expr, adorn: Adorn = () => ''): string {
  const writer = new Writer(adorn);
  writer.expr(expr);
  return writer.text;
}

class Writer {
  text = '';
  #indent = 0;
  #lineStart = true;
  readonly #adorn: Adorn;

  constructor(adorn: Adorn) {
    this.#adorn = adorn;
  }

  expr(expr: Expr): void {
    switch (expr.kind) {
      case 'const':
        this.#append(literal(expr.value));
        break;
      case 'ident':
        this.#append(expr.name);
        break;
      case 'select':
        this.expr(expr.operand);
        this.#append(`.${expr.field}${expr.test ? '~test-only~' : ''}`);
        break;
      case 'call':
        this.#call(expr);
        break;
      case 'list':
        this.#block('[', ']', expr.elements, (element) => this.expr(element));
        break;
      case 'map':
        this.#block('{', '}', expr.entries, (entry) => {
          if (entry.optional) this.#append('?');
          this.expr(entry.key);
          this.#append(':');
          this.expr(entry.value);
          this.#append(this.#adorn(undefined, 'entry'));
        });
        break;
      case 'struct':
        this.#append(expr.typeName);
        this.#block('{', '}', expr.fields, (field) => {
          this.#append(`${field.optional ? '?' : ''}${field.name}:`);
          this.expr(field.value);
          this.#append(this.#adorn(undefined, 'field'));
        });
        break;
      case 'comprehension':
        this.#comprehension(expr);
    }
    this.#append(this.#adorn(expr, 'expr'));
  }

  #call(expr: Expr & { kind: 'call' }): void {
    if (expr.target !== undefined) {
      this.expr(expr.target);
      this.#append('.');
    }
    this.#append(expr.name);
    this.#block('(', ')', expr.args, (arg) => this.expr(arg));
  }

  #comprehension(expr: Expr & { kind: 'comprehension' }): void {
    this.#append('__comprehension__(');
    this.#indent++;
    const parts: (string | Expr)[] = ['// Variable', expr.iterVar];
    if (expr.iterVar2 !== undefined) parts.push(expr.iterVar2);
    parts.push('// Target', expr.range, '// Accumulator', expr.accuVar, '// Init', expr.init);
    parts.push('// LoopCondition', expr.condition, '// LoopStep', expr.step, '// Result', expr.result);
    parts.forEach((part, index) => {
      this.#line();
      if (typeof part === 'string') this.#append(part);
      else this.expr(part);
      const isTitle = typeof part === 'string' && part.startsWith('//');
      this.#append(isTitle || index === parts.length - 1 ? '' : ',');
    });
    this.#append(')');
    this.#indent--;
  }

  #block<T>(open: string, close: string, items: readonly T[], write: (item: T) => void): void {
    this.#append(open);
    if (items.length > 0) {
      this.#indent++;
      this.#line();
      items.forEach((item, index) => {
        if (index > 0) {
          this.#append(',');
          this.#line();
        }
        write(item);
      });
      this.#indent--;
      this.#line();
    }
    this.#append(close);
  }

  #append(text: string): void {
    if (this.#lineStart) this.text += '  '.repeat(this.#indent);
    this.#lineStart = false;
    this.text += text;
  }

  #line(): void {
    this.text += '\n';
    this.#lineStart = true;
  }
}

function literal(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof CelUint) return `${value.value}u`;
  if (value instanceof CelBytes) return `b${quote(new TextDecoder('latin1').decode(value.bytes), true)}`;
  if (value instanceof CelDouble) return goDouble(value.value);
  return String(value);
}

/** Go's `%v` of a double. */
function goDouble(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 21) return String(value);
  const size = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}e${Number(exponent) < 0 ? '-' : '+'}${size}`;
}

const short: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** Go's strconv.Quote. */
function quote(text: string, asBytes = false): string {
  const bytes = asBytes ? Buffer.from(text, 'latin1') : undefined;
  const isText = bytes?.equals(Buffer.from(bytes.toString('utf8'), 'utf8')) ?? true;
  const shown = bytes === undefined ? text : isText ? bytes.toString('utf8') : text;
  const parts = Array.from(shown, (character) => {
    const known = short[character];
    if (known !== undefined) return known;
    const point = character.codePointAt(0) ?? 0;
    if (!isText && point >= 0x80) return `\\x${point.toString(16)}`;
    if (point < 0x20 || point === 0x7f) return `\\x${point.toString(16).padStart(2, '0')}`;
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
    return point > 0xffff
      ? `\\U${point.toString(16).padStart(8, '0')}`
      : `\\u${point.toString(16).padStart(4, '0')}`;
  });
  return `"${parts.join('')}"`;
}

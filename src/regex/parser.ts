import { anyChar, anyCharButNewline } from './char-class.ts';
import { Cursor } from './cursor.ts';
import { type ClassRules, folded, parseClass, parseClassEscape } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import { type Flags, initialFlags, parseGroupHead } from './parse-flags.ts';
import { parseBounds } from './parse-repeat.ts';
import { RegexSyntaxError } from './regex-syntax-error.ts';
import {
  alternateNode,
  charsNode,
  concatNode,
  groupNode,
  type Node,
  type Place,
  placeNode,
  type Repetition,
  repeatNode,
} from './syntax-tree.ts';
import { unicodeRules } from './unicode.ts';

/** Go's limits (regexp/syntax): the height of the tree, the instructions of the program, the ranges of its classes. */
const regexLimits = {
  height: 1000,
  size: Math.floor((128 << 20) / 40),
  classNumbers: (128 << 20) / 4,
  repetitions: 1000,
} as const;

/** Reads an RE2 pattern as Go's regexp.Compile does. Throws {@link RegexSyntaxError}. */
export function parsePattern(pattern: string): Node {
  return new Parser(pattern).parse();
}

/** An open group; the preceding nodes of its parent are in the frame below. */
interface Frame {
  readonly kind: 'pattern' | 'capture' | 'plain';
  /** Restored when the group closes. */
  readonly flagsBefore: Flags;
  readonly alternatives: Node[];
  items: Node[];
}

/** Has an explicit stack, so that a million parentheses are refused without a stack overflow. */
class Parser {
  readonly #cursor: Cursor;
  readonly #unicode = unicodeRules();
  #flags: Flags = initialFlags;
  #frame: Frame;
  readonly #outer: Frame[] = [];
  #lastRepeat = -1;
  #classNumbers = 0;

  constructor(pattern: string) {
    this.#cursor = new Cursor(pattern);
    this.#frame = { kind: 'pattern', flagsBefore: this.#flags, alternatives: [], items: [] };
  }

  parse(): Node {
    while (!this.#cursor.done) {
      const start = this.#cursor.at;
      this.#lastRepeat = this.#step() ? start : -1;
    }
    const whole = this.#endAlternatives();
    if (this.#outer.length > 0) throw new RegexSyntaxError('missing closing )', this.#cursor.pattern);
    return whole;
  }

  /** Reads one item; true if it was a repetition. */
  #step(): boolean {
    const cursor = this.#cursor;
    switch (cursor.peek()) {
      case '(':
        return this.#openGroup();
      case ')':
        return this.#closeGroup();
      case '|':
        return this.#endAlternative();
      case '^':
        return this.#place(this.#flags.oneLine ? 'beginText' : 'beginLine', 1);
      case '$':
        return this.#place(this.#flags.oneLine ? 'endText' : 'endLine', 1);
      case '.':
        cursor.at += 1;
        return this.#push(charsNode(this.#flags.dotNewline ? anyChar : anyCharButNewline));
      case '[':
        return this.#push(charsNode(parseClass(cursor, this.#classRules())));
      case '*':
      case '+':
      case '?':
      case '{':
        return this.#repetition();
      case '\\':
        return this.#backslash();
      default:
        return this.#literal(cursor.next());
    }
  }

  #openGroup(): false {
    const cursor = this.#cursor;
    const flagsBefore = this.#flags;
    if (cursor.peek(1) !== '?') {
      cursor.at += 1;
      return this.#open('capture', flagsBefore);
    }
    const head = parseGroupHead(cursor, flagsBefore);
    if (head.kind === 'capture') return this.#open('capture', flagsBefore);
    this.#flags = head.flags;
    return head.kind === 'open' ? this.#open('plain', flagsBefore) : false;
  }

  #open(kind: Frame['kind'], flagsBefore: Flags): false {
    this.#outer.push(this.#frame);
    this.#frame = { kind, flagsBefore, alternatives: [], items: [] };
    return false;
  }

  #closeGroup(): false {
    const { kind, flagsBefore } = this.#frame;
    const inner = this.#endAlternatives();
    const outer = this.#outer.pop();
    if (outer === undefined) throw new RegexSyntaxError('unexpected )', this.#cursor.pattern);
    this.#cursor.at += 1;
    this.#frame = outer;
    this.#flags = flagsBefore;
    return this.#push(kind === 'capture' ? groupNode(inner) : inner);
  }

  #endAlternative(): false {
    this.#frame.alternatives.push(this.#checked(concatNode(this.#frame.items)));
    this.#frame.items = [];
    this.#cursor.at += 1;
    return false;
  }

  #endAlternatives(): Node {
    const { alternatives, items } = this.#frame;
    return this.#checked(alternateNode([...alternatives, this.#checked(concatNode(items))]));
  }

  #repetition(): boolean {
    const cursor = this.#cursor;
    const start = cursor.at;
    const counted = cursor.peek() === '{';
    const bounds = counted ? parseBounds(cursor) : this.#operator();
    if (bounds === undefined) return this.#literal(cursor.next());
    const { min, max } = bounds;
    const limit = regexLimits.repetitions;
    if (min > limit || max > limit || (max >= 0 && min > max)) throw repeatCount(cursor.since(start));
    return this.#repeat({ min, max, greedy: this.#greedy(), counted }, start);
  }

  #operator(): { min: number; max: number } {
    const operator = this.#cursor.peek();
    this.#cursor.at += 1;
    return { min: operator === '+' ? 1 : 0, max: operator === '?' ? 1 : -1 };
  }

  #greedy(): boolean {
    if (this.#cursor.peek() !== '?') return !this.#flags.nonGreedy;
    this.#cursor.at += 1;
    return this.#flags.nonGreedy;
  }

  #repeat(repetition: Repetition, start: number): true {
    const cursor = this.#cursor;
    if (this.#lastRepeat >= 0) {
      throw new RegexSyntaxError('invalid nested repetition operator', cursor.since(this.#lastRepeat));
    }
    const sub = this.#frame.items.pop();
    if (sub === undefined) {
      throw new RegexSyntaxError('missing argument to repetition operator', cursor.since(start));
    }
    const node = this.#checked(repeatNode(sub, repetition));
    const { counted, min, max } = repetition;
    if (counted && (min >= 2 || max >= 2) && node.copies > regexLimits.repetitions) {
      throw repeatCount(cursor.since(start));
    }
    this.#frame.items.push(node);
    return true;
  }

  #backslash(): false {
    const cursor = this.#cursor;
    switch (cursor.peek(1)) {
      case 'A':
        return this.#place('beginText', 2);
      case 'z':
        return this.#place('endText', 2);
      case 'b':
        return this.#place('wordBoundary', 2);
      case 'B':
        return this.#place('noWordBoundary', 2);
      case 'C':
        throw new RegexSyntaxError('invalid escape sequence', '\\C');
      case 'Q':
        return this.#quoted();
    }
    const chars = parseClassEscape(cursor, this.#classRules());
    if (chars !== undefined) return this.#push(charsNode(chars));
    return this.#literal(parseEscape(cursor));
  }

  /** `\Q...\E`: literal text; the end of the pattern also ends it. */
  #quoted(): false {
    const cursor = this.#cursor;
    cursor.at += 2;
    const found = cursor.pattern.indexOf('\\E', cursor.at);
    const end = found < 0 ? cursor.pattern.length : found;
    while (cursor.at < end) this.#literal(cursor.next());
    if (found >= 0) cursor.at += 2;
    return false;
  }

  #place(place: Place, length: number): false {
    this.#cursor.at += length;
    return this.#push(placeNode(place));
  }

  #literal(codePoint: number): false {
    const chars = folded([codePoint, codePoint], this.#classRules());
    return this.#push(charsNode(chars, chars.length > 2));
  }

  #push(node: Node): false {
    if (node.kind === 'chars') this.#classNumbers += node.chars.length;
    this.#frame.items.push(this.#checked(node));
    return false;
  }

  #classRules(): ClassRules {
    return { unicode: this.#unicode, ignoreCase: this.#flags.ignoreCase };
  }

  #checked(node: Node): Node {
    const { size, classNumbers, height } = regexLimits;
    if (node.size > size || this.#classNumbers > classNumbers) {
      throw new RegexSyntaxError('expression too large', this.#cursor.pattern);
    }
    if (node.height > height) throw new RegexSyntaxError('expression nests too deeply', this.#cursor.pattern);
    return node;
  }
}

const repeatCount = (fragment: string) => new RegexSyntaxError('invalid repeat count', fragment);

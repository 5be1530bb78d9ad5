import { LazyDfa } from './lazy-dfa.ts';
import { LeftmostSearch } from './leftmost-search.ts';
import { once } from './once.ts';
import { parsePattern } from './parser.ts';
import { compileProgram, type Program } from './program.ts';
import { requiredLiteral } from './required-literal.ts';
import type { Span } from './span.ts';
import type { Node } from './syntax-tree.ts';

/** A compiled RE2 pattern. */
export interface Regex {
  /** The source of the pattern. */
  readonly source: string;
  /** True if the pattern matches anywhere in the text: Go's `MatchString`. Time linear in the text. */
  test(text: string): boolean;
  /**
   * The leftmost match, of several the one with the highest priority: Go's `FindStringIndex`. Time linear in the text,
   * but many times that of `test`.
   */
  find(text: string): Span | undefined;
  /**
   * Successive matches without overlap, at most `limit` of them unless it is negative: Go's `FindAllStringIndex`. Each
   * takes time linear in the text.
   */
  findAll(text: string, limit?: number): Span[];
}

/**
 * Compiles an RE2 pattern (https://github.com/google/re2/wiki/Syntax, as read by Go's regexp package). Throws
 * RegexSyntaxError with Go's message. Matching works on code points; a lone surrogate is U+FFFD.
 */
export function compileRegex(pattern: string): Regex {
  return new CompiledRegex(pattern);
}

class CompiledRegex implements Regex {
  readonly source: string;
  readonly test: (text: string) => boolean;
  readonly #search: () => LeftmostSearch;

  constructor(pattern: string) {
    this.source = pattern;
    const tree = parsePattern(wellFormed(pattern));
    const program = once(() => compileProgram(tree));
    this.#search = once(() => new LeftmostSearch(program()));
    this.test = matcher(tree, program);
  }

  find(text: string): Span | undefined {
    return this.test(text) ? this.#search().find(text, 0) : undefined;
  }

  findAll(text: string, limit = -1): Span[] {
    const found: Span[] = [];
    if (limit === 0 || !this.test(text)) return found;
    let previousEnd = -1;
    for (let from = 0; from <= text.length && found.length !== limit; ) {
      const match = this.#search().find(text, from);
      if (match === undefined) break;
      // An empty match right behind another one does not count, but the search must advance.
      if (match.end > from || match.start !== previousEnd) found.push(match);
      from = match.end > from ? match.end : from + lengthAt(text, from);
      previousEnd = match.end;
    }
    return found;
  }
}

/** The fastest check whether the pattern matches; the automaton is created on first use. */
function matcher(tree: Node, program: () => Program): (text: string) => boolean {
  let dfa: LazyDfa | undefined;
  const literal = requiredLiteral(tree);
  if (literal === undefined) return (text) => (dfa ??= new LazyDfa(program())).test(text);
  const { text: needle, isPrefix, isWhole } = literal;
  if (isWhole) return (text) => text.includes(needle);
  return (text) => {
    const at = text.indexOf(needle);
    if (at < 0) return false;
    dfa ??= new LazyDfa(program());
    return dfa.test(text, isPrefix && program().placesUsed === 0 ? at : 0);
  };
}

/** The length of the character at an index, in code units. */
const lengthAt = (text: string, index: number): number => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);

/** Go's strings are UTF-8 without lone surrogates: they become U+FFFD. */
const wellFormed = (pattern: string): string => pattern.replace(/\p{Surrogate}/gu, '\uFFFD');

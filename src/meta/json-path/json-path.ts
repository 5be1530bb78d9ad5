import { goJson, goPrint } from '../go/go-text.ts';
import type { JsonValue } from '../value/value.ts';
import type { PathValue } from './compare.ts';
import { evaluateNodes } from './evaluate.ts';
import { JsonPathError } from './json-path-error.ts';
import { FloatLiteral, type PathNodes, type PathTemplate } from './nodes.ts';
import { parseTemplate } from './parse.ts';

/** A path into an object, in the JSONPath syntax of kubectl and printer columns. */
interface JsonPath {
  /**
   * The values at the path; empty if there are none.
   *
   * @throws {JsonPathError} if the path does not fit the object: an index out of bounds, a filter on a value that is
   * not a list.
   */
  find(object: JsonValue): JsonValue[];
}

/**
 * Parses a path without its braces: `.spec.ports[?(@.name=="http")].port`. Template parts after the first closing
 * brace are evaluated, but their results are ignored, as printer columns have always done.
 *
 * @throws {JsonPathError} with client-go's message.
 */
export function parseJsonPath(path: string): JsonPath {
  const template = parseTemplate(`{${path}}`);
  return Object.freeze({
    find(object: JsonValue): JsonValue[] {
      const [first = []] = evaluateTemplate(template, object);
      return first.map((value) => (value instanceof FloatLiteral ? value.value : value));
    },
  });
}

/** A result as text: strings unchanged, objects and lists as JSON, null as `<no value>`. */
export function printJsonPathResult(value: JsonValue): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? goJson(value) : goPrint(value);
}

type Results = readonly (readonly PathValue[])[];

function evaluateTemplate(template: PathTemplate, object: JsonValue): Results {
  return evaluateBlock(template, object, { start: 0, end: template.length, inRange: false });
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly inRange: boolean;
}

function evaluateBlock(template: PathTemplate, object: PathValue, block: Block): Results {
  const results: (readonly PathValue[])[] = [];
  for (let at = block.start; at < block.end; at += 1) {
    const nodes = template[at] ?? [];
    const values = evaluateNodes(nodes, [object]);
    if (hasWord(nodes, 'end') && !block.inRange) throw new JsonPathError('not in range, nothing to end');
    if (!hasWord(nodes, 'range')) {
      results.push(values);
      continue;
    }
    const rangeEnd = matchingEnd(template, at);
    for (const value of values) {
      results.push(...evaluateBlock(template, value, { start: at + 1, end: rangeEnd, inRange: true }));
    }
    // A range without an end is evaluated once more outside of it.
    if (rangeEnd < template.length) at = rangeEnd;
  }
  return results;
}

function matchingEnd(template: PathTemplate, range: number): number {
  let open = 0;
  for (let at = range; at < template.length; at += 1) {
    const nodes = template[at] ?? [];
    if (hasWord(nodes, 'range')) open += 1;
    if (hasWord(nodes, 'end')) open -= 1;
    if (open === 0) return at;
  }
  return template.length;
}

function hasWord(nodes: PathNodes, word: string): boolean {
  return nodes.some((node) => node.type === 'word' && node.word === word);
}

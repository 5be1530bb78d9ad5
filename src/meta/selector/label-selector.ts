import { fieldErrorText, invalid } from '../refusal/field-error.ts';
import { compareBytes, goQuote } from '../go/go-text.ts';
import { checkLabelKey } from '../names/names.ts';
import { stringList, stringMap } from '../object-meta/object.ts';
import { isObject, type JsonObject, own, ownList, ownString } from '../value/value.ts';
import { type LabelToken, type LabelTokenKind, scanLabelSelector } from './label-lexer.ts';
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
  labelRequirementText,
  meetsLabelRequirement,
} from './label-requirement.ts';
import { SelectorError } from './selector-error.ts';

/** Conditions on labels, combined with and; without conditions, everything is selected. */
export class LabelSelector {
  /** Ordered by key. */
  readonly requirements: readonly LabelRequirement[];

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = Object.freeze([...requirements].sort((a, b) => compareBytes(a.key, b.key)));
    Object.freeze(this);
  }

  /** True if everything is selected. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels): boolean {
    return this.requirements.every((requirement) => meetsLabelRequirement(requirement, labels));
  }

  /** The selector in its normal form: `a=b,c in (d,e)`. Parsing it gives the same selector. */
  toString(): string {
    return this.requirements.map(labelRequirementText).join(',');
  }
}

/**
 * Parses a `labelSelector`: `app=web,tier in (front,back),!legacy,weight>3`.
 *
 * @throws {SelectorError} with upstream's message.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return new LabelSelector(new LabelSelectorParser(scanLabelSelector(text)).parse());
}

const matchOperators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * A selector from `metav1.LabelSelector`, `{matchLabels, matchExpressions}`. An empty object selects everything; the
 * caller decides what an absent one selects.
 *
 * @throws {SelectorError} for an unknown operator, an invalid key or invalid values.
 */
export function labelSelectorFromObject(object: JsonObject): LabelSelector {
  const requirements = [...stringMap(own(object, 'matchLabels'))].map(([key, value]) =>
    labelRequirement(key, '=', [value]),
  );
  for (const expression of ownList(object, 'matchExpressions') ?? []) {
    if (!isObject(expression)) continue;
    const name = ownString(expression, 'operator') ?? '';
    const operator = matchOperators.get(name);
    if (operator === undefined) {
      throw new SelectorError(`${goQuote(name)} is not a valid label selector operator`);
    }
    const key = ownString(expression, 'key') ?? '';
    requirements.push(labelRequirement(key, operator, stringList(own(expression, 'values'))));
  }
  return new LabelSelector(requirements);
}

const comparisons: ReadonlyMap<LabelTokenKind, LabelOperator> = new Map([
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
  ['in', 'in'],
  ['notin', 'notin'],
]);

const endToken: LabelToken = { kind: 'end', text: '' };

/** `requirement {"," requirement}`; `in` and `notin` are operators only where an operator may follow. */
class LabelSelectorParser {
  readonly #tokens: readonly LabelToken[];
  #at = 0;

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === 'end') return requirements;
      if (!startsRequirement(next)) {
        throw new SelectorError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirementInContext());
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') {
        throw new SelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
      }
      if (!startsRequirement(this.#peek())) {
        throw new SelectorError(`found '${this.#peek().text}', expected: identifier after ','`);
      }
    }
  }

  #requirementInContext(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().kind === '!';
    if (negated) this.#take();
    const key = this.#key();
    if (negated) return labelRequirement(key, '!', []);
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return labelRequirement(key, 'exists', []);
    const operator = this.#operator();
    if (operator !== 'in' && operator !== 'notin') return labelRequirement(key, operator, [this.#value()]);
    // Error messages name a value by its index in the sorted set.
    return labelRequirement(key, operator, [...new Set(this.#set())].sort(compareBytes));
  }

  #key(): string {
    const token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    const wrong = checkLabelKey(token.text);
    if (wrong.length > 0) {
      throw new SelectorError(fieldErrorText(invalid(undefined, token.text, wrong.join('; '))));
    }
    return token.text;
  }

  #operator(): LabelOperator {
    const token = this.#tokens[this.#at] ?? endToken;
    this.#at += 1;
    const operator = comparisons.get(token.kind);
    if (operator === undefined) {
      throw new SelectorError(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    return operator;
  }

  #value(): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return '';
    const token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** `(a,b)`; a missing value is the empty value: `()`, `(,a)`, `(a,)`, `(a,,b)`. */
  #set(): string[] {
    const open = this.#take();
    if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#setMembers();
    this.#take();
    return values;
  }

  /** Stops before the closing parenthesis. */
  #setMembers(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (token.kind === 'identifier') {
        values.push(token.text);
        if (next.kind === ')') return values;
        if (next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.length === 0 || next.kind === ',' || next.kind === ')') values.push('');
        if (next.kind === ')') return values;
      } else {
        throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  /** The next token where no operator may follow: `in` is a name here. */
  #peek(): LabelToken {
    const token = this.#tokens[this.#at] ?? endToken;
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  #take(): LabelToken {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}

function startsRequirement(token: LabelToken): boolean {
  return token.kind === 'identifier' || token.kind === '!';
}

import type { Bindings, CostBudget, EvaluationError, RulePlace } from '../../cel/index.ts';
import {
  type FieldError,
  fieldErrorText,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  pathText,
  required,
} from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { itemKey, itemsByKey } from '../validate/correlation.ts';
import { type CompiledRule, type RuleExpression, ruleText } from './compile-rule.ts';
import type { Ratchet } from './ratchet.ts';
import { failureMessage, ruleName } from './rule-message.ts';
import type { RuleNode } from './rule-node.ts';
import { entryBelow, fieldBelow, itemBelow, type RulePath, ruleFieldPath } from './rule-path.ts';

/** A value to be validated by its rules. */
interface RuleVisit {
  readonly rules: RuleNode;
  readonly value: JsonValue;
  /** The stored value for `oldSelf`; undefined if there is none or it cannot be correlated. */
  readonly old: JsonValue | undefined;
  readonly path: RulePath;
  readonly ratchet: Ratchet;
}

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Runs rules on values within one budget: those of a value first, then those of its children. Upstream visits the
 * fields of an object in random order, Ilk in the order of declaration.
 *
 * Source: pkg/apiserver/schema/cel/validation.go of k8s.io/apiextensions-apiserver.
 */
export class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #budget: CostBudget;
  #isOver = false;

  constructor(budget: CostBudget) {
    this.#budget = budget;
  }

  /** True if rules were skipped because the budget was used up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  visit(visit: RuleVisit): void {
    const { value } = visit;
    // Rules do not run on null: rules of the parent can handle it.
    if (this.#isOver || value === null) return;
    this.#runRules(visit);
    if (Array.isArray(value)) this.#visitItems(visit, value);
    else if (isObject(value)) this.#visitEntries(visit, value);
  }

  #visitItems({ rules, old, path, ratchet }: RuleVisit, items: readonly JsonValue[]): void {
    const below = rules.items;
    if (below === undefined) return;
    const findOld = oldItems(rules.node, old);
    for (const [index, value] of items.entries()) {
      if (this.#isOver) return;
      const place = { path: itemBelow(path, index), ratchet: ratchet.index(index) };
      this.visit({ rules: below, value, old: findOld(value), ...place });
    }
  }

  #visitEntries(visit: RuleVisit, object: JsonObject): void {
    const { rules, path, ratchet } = visit;
    const old = isObject(visit.old) ? visit.old : {};
    const { keys, values } = rules;
    if (keys !== undefined) this.#visitKeys(keys, object, { ...visit, old });
    if (values !== undefined) {
      for (const key of Object.keys(object)) {
        if (this.#isOver) return;
        const place = { path: entryBelow(path, key), ratchet: ratchet.key(key) };
        this.visit({ rules: values, value: own(object, key) ?? null, old: own(old, key), ...place });
      }
    }
    for (const [name, below] of rules.properties) {
      const value = own(object, name);
      if (value === undefined || this.#isOver) continue;
      const place = { path: fieldBelow(path, name), ratchet: ratchet.key(name) };
      this.visit({ rules: below, value, old: own(old, name), ...place });
    }
  }

  /** The error of a key is reported at its map. A key of the old map counts as unchanged. */
  #visitKeys(keys: RuleNode, object: JsonObject, { path, old }: RuleVisit & { old: JsonObject }): void {
    for (const key of Object.keys(object)) {
      if (this.#isOver) return;
      const ratchet = { isUnchanged: Object.hasOwn(old, key) };
      this.#runRules({ rules: keys, value: key, old: undefined, path, ratchet });
    }
  }

  #runRules(
    visit: Omit<RuleVisit, 'ratchet'> & { readonly ratchet: { readonly isUnchanged: boolean } },
  ): void {
    const { rules, value, path } = visit;
    const { node } = rules;
    if (node.rules.length === 0) return;
    if (rules.type === undefined) {
      const text =
        'rule compiler initialization error: failed to convert to declType for CEL validation rules';
      this.errors.push(invalid(path, node.type, text));
      return;
    }
    if (this.#budget.remaining <= 0) return this.#stop(invalid(path, node.type, outOfBudget));
    const old = visit.old ?? undefined;
    const bindings: Bindings = old === undefined ? { self: value } : { self: value, oldSelf: old };
    for (const compiled of rules.rules) {
      if (this.#isOver) return;
      this.#runRule(compiled, bindings, visit);
    }
  }

  #runRule(
    compiled: CompiledRule,
    bindings: Bindings,
    visit: Omit<RuleVisit, 'ratchet'> & { readonly ratchet: { readonly isUnchanged: boolean } },
  ): void {
    const { rules, path, ratchet } = visit;
    const { expression, rule } = compiled;
    const { node } = rules;
    if (compiled.error !== undefined) {
      this.errors.push(invalid(path, node.type, `rule compile error: ${compiled.error}`));
      return;
    }
    const ratchets = node.gates.CRDValidationRatcheting;
    if (expression === undefined || !isRun(expression, { rule, bindings, ratchets })) return;
    const evaluation = expression.program.evaluate(bindings, { budget: this.#budget });
    const { value, error } = evaluation;
    const place = this.#budget.observer && placeOf(compiled, visit);
    this.#budget.observer?.({ program: expression.program, bindings, evaluation, rule: place });
    if (error !== undefined) return this.#fail(compiled, error, visit);
    if (value === true) return;
    const message = failureMessage(compiled, bindings, { budget: this.#budget, place });
    const at = ruleFieldPath(path, ruleText(rule, 'fieldPath'), node);
    const found = message.isFatal
      ? invalid(at, node.type, message.text)
      : failure({ at, node, value: visit.value }, rule, message.text);
    if (ratchets && !expression.usesOldSelf && ratchet.isUnchanged) this.warnings.push(fieldErrorText(found));
    else this.errors.push(found);
    if (message.isFatal) this.#isOver = true;
  }

  #fail(
    compiled: CompiledRule,
    { kind, message }: EvaluationError,
    { rules, path }: { rules: RuleNode; path: RulePath },
  ) {
    const { type } = rules.node;
    const name = ruleName(compiled);
    if (kind === 'budget') return this.#stop(invalid(path, type, outOfBudget));
    if (kind === 'cost-limit') {
      const text = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
      return this.#stop(invalid(path, type, text));
    }
    const text = message.startsWith('no such overload')
      ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`
      : `${message} evaluating rule: ${name}`;
    this.errors.push(invalid(path, type, text));
  }

  #stop(error: FieldError): void {
    this.errors.push(error);
    this.#isOver = true;
  }
}

function placeOf(compiled: CompiledRule, { rules, path }: Pick<RuleVisit, 'rules' | 'path'>): RulePlace {
  const index = rules.rules.indexOf(compiled);
  return { schema: rules.name, index, field: 'rule', path: path === undefined ? '' : pathText(path) };
}

/** Transition rules only run on changes, unless `optionalOldSelf` is set. */
function isRun(
  { usesOldSelf }: RuleExpression,
  { rule, bindings, ratchets }: { rule: JsonObject; bindings: Bindings; ratchets: boolean },
): boolean {
  if (!usesOldSelf || Object.hasOwn(bindings, 'oldSelf')) return true;
  return ratchets && rule['optionalOldSelf'] === true;
}

/** Finds the old item with the same keys; items of other lists cannot be correlated. */
function oldItems(node: SchemaNode, old: JsonValue | undefined): (item: JsonValue) => JsonValue | undefined {
  if (node.listType !== 'map' || !Array.isArray(old)) return () => undefined;
  const byKey = itemsByKey(old, node.listMapKeys);
  return (item) => {
    const key = isObject(item) ? itemKey(item, node.listMapKeys) : undefined;
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** The error type for the rule's `reason`. */
function failure(
  { at, node, value }: { readonly at: RulePath; readonly node: SchemaNode; readonly value: JsonValue },
  rule: JsonObject,
  detail: string,
): FieldError {
  const shown = node.type === 'object' || node.type === 'array' ? ({ omitsValue: true } as const) : { value };
  const field = pathText(at);
  switch (rule['reason']) {
    case 'FieldValueForbidden':
      return forbidden(at, detail);
    case 'FieldValueRequired':
      return required(at, detail);
    case 'FieldValueDuplicate':
      return { type: 'FieldValueDuplicate', field, ...shown, detail: '' };
    default:
      return { type: 'FieldValueInvalid', field, ...shown, detail };
  }
}

import type { Bindings, CostBudget, RulePlace } from '../../cel/index.ts';
import { goQuote } from '../../meta/index.ts';
import { type CompiledRule, ruleText } from './compile-rule.ts';

const messageBytesMax = 5 * 1024;

/** The error of a failed rule; with `isFatal`, no further rule may run. */
interface RuleMessage {
  readonly text: string;
  readonly isFatal: boolean;
}

interface MessageParts {
  readonly budget: CostBudget;
  /** For observers of the evaluation. */
  readonly place: RulePlace | undefined;
}

/** The name of a rule in messages: its message or its expression. */
export function ruleName({ rule }: CompiledRule): string {
  const message = ruleText(rule, 'message');
  return (message === '' ? ruleText(rule, 'rule') : message).trim();
}

/** The message of a failed rule: by its `messageExpression`, else its `message`, else the rule. */
export function failureMessage(
  compiled: CompiledRule,
  bindings: Bindings,
  within: MessageParts,
): RuleMessage {
  const evaluated = evaluateMessage(compiled, bindings, within);
  if (evaluated !== undefined) return evaluated;
  const hasMessage = ruleText(compiled.rule, 'message') !== '';
  return { text: hasMessage ? ruleName(compiled) : `failed rule: ${ruleName(compiled)}`, isFatal: false };
}

/** Undefined if the result cannot be used as a message. */
function evaluateMessage(
  { message, rule }: CompiledRule,
  bindings: Bindings,
  { budget, place }: MessageParts,
): RuleMessage | undefined {
  if (message === undefined) return undefined;
  const evaluation = message.program.evaluate(bindings, { budget });
  const { error, value } = evaluation;
  const observed = place && { ...place, field: 'messageExpression' as const };
  budget.observer?.({ program: message.program, bindings, evaluation, rule: observed });
  if (error?.kind === 'budget') {
    const text =
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    return { text, isFatal: true };
  }
  if (error?.kind === 'cost-limit') {
    const text = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(ruleText(rule, 'messageExpression'))}`;
    return { text, isFatal: true };
  }
  const text = typeof value === 'string' ? value.trim() : '';
  const isUsable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= messageBytesMax;
  return isUsable ? { text, isFatal: false } : undefined;
}

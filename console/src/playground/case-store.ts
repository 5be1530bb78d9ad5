import { computed, effect, signal } from '@preact/signals';
import { ApiError, isAborted } from '../api/api-error.ts';
import { send } from '../api/request.ts';
import { examples } from './examples.ts';
import { bodyOf, type DocumentName, emptyCase, type PlaygroundCase } from './playground-case.ts';
import type { Answer, PlaygroundResult, Problem } from './playground-result.ts';
import { caseOfRule, linesBefore } from './single-rule.ts';

/** The current case; it is kept while other pages are open. */
export const current = signal<PlaygroundCase>({ ...emptyCase, ...examples[0]?.case });
/** Incremented when texts change outside of the editors. */
export const loads = signal(0);
export const answer = signal<Answer | undefined>(undefined);
/** Why the current case has no result. */
export const failure = signal<unknown>(undefined);
export const isRunning = signal(false);
/** Whether a rule alone decides. */
export const isRuleAlone = computed(() => current.value.rule.trim() !== '');

const waitMs = 350;
/** A server runs two cases at a time; further ones are retried. */
const againMs = 1_000;

/** The findings per text. */
export const problems = computed<Readonly<Record<DocumentName, readonly Problem[]>>>(() => {
  const of = (name: DocumentName) =>
    (answer.value?.result.problems ?? [])
      .filter(({ document }) => document === name)
      .map((problem) => (isRuleAlone.value ? { ...problem, line: problem.line - linesBefore } : problem));
  return {
    definition: of('definition'),
    policies: of('policies'),
    object: of('object'),
    oldObject: of('oldObject'),
  };
});

/** Handles edits. */
export function change(changes: Partial<PlaygroundCase>): void {
  current.value = { ...current.value, ...changes };
}

/** Replaces the texts in the editors. */
export function load(changes: Partial<PlaygroundCase>): void {
  change(changes);
  loads.value += 1;
}

/** Sends the case after each change, until `abort`. */
export function followCase(abort: AbortSignal): void {
  let asking: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (one: PlaygroundCase) => {
    asking?.abort();
    asking = new AbortController();
    const { signal: mine } = asking;
    isRunning.value = true;
    try {
      answer.value = await answerTo(one, mine);
      failure.value = undefined;
    } catch (error) {
      if (isAborted(error)) return;
      if (error instanceof ApiError && error.code === 429)
        timer = setTimeout(() => void ask(current.peek()), againMs);
      failure.value = error;
      answer.value = undefined;
    }
    if (!mine.aborted) isRunning.value = false;
  };
  const end = effect(() => {
    const one = current.value;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(one), waitMs);
  });
  abort.addEventListener('abort', () => {
    end();
    clearTimeout(timer);
    asking?.abort();
  });
}

async function answerTo(one: PlaygroundCase, abort: AbortSignal): Promise<Answer> {
  const { rule, ...texts } = one;
  const body = bodyOf(rule.trim() === '' ? texts : caseOfRule(one));
  const response = await send('/ilk/v1/playground', { method: 'POST', body, signal: abort });
  const text = await response.text();
  // The endpoint guarantees the shape.
  const result = JSON.parse(text) as PlaygroundResult & { readonly object?: unknown };
  return { result, object: result.object === undefined ? '' : memberText(text, 'object') };
}

/** The source text of a member of a JSON object. */
function memberText(json: string, name: string): string {
  let depth = 0;
  let key = '';
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = endOfText(json, at);
      if (depth === 1 && json[end] === ':') key = json.slice(at + 1, end - 1);
      if (depth === 1 && json[end] === ':' && key === name) return valueText(json, end + 1);
      at = end - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return '';
}

function valueText(json: string, start: number): string {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return json.slice(start, at + 1);
    }
  }
  return '';
}

function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

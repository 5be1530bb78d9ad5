import type { Finished } from './finished.ts';
import { Generator, type GeneratorContext } from './generator.ts';
import { Unsupported } from './operand.ts';
import { runtime } from './runtime.ts';

/**
 * The code of one expression: throws Bail, or returns undefined, if the interpreter must decide; throws Interrupted if
 * interrupted.
 */
export type Generated = (
  bindings: object,
  limit: number,
  interrupt: (() => boolean) | undefined,
) => Finished | undefined;

/**
 * Generates a JavaScript function for an expression; undefined if some part of it is not supported.
 *
 * The code contains no text of the expression except JSON-encoded literals and numbers; names are numbered (`v1`,
 * `k2`), and everything else is passed in.
 */
export function generateFunction(context: GeneratorContext): Generated | undefined {
  const generator = new Generator(context);
  try {
    const { emitter } = generator;
    const result = generator.boxed(generator.generate(context.ast.expr));
    emitter.settle();
    emitter.bailIf('c > limit');
    emitter.line(`return ${context.ast.type.kind === 'bool' ? 'finishedBool' : 'finished'}(${result}, c);`);
    return instantiate(emitter.text, emitter.constants);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

function instantiate(text: string, constants: readonly unknown[]): Generated {
  const helpers = Object.keys(runtime);
  const places = constants.map((_, index) => `k${index}`);
  const body = `return (b, limit, interrupt) => {\nlet c = 0;\n${text}\n};`;
  const make = new Function(...helpers, ...places, body);
  // The generated function has this signature.
  return make(...Object.values(runtime), ...constants) as Generated;
}

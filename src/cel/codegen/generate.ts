import type { Value } from '../values/value.ts';
import { Generator, type GeneratorContext } from './generator.ts';
import { Unsupported } from './operand.ts';
import { runtime } from './runtime.ts';

/** What generated code reports back besides its value. */
export interface Meter {
  cost: number;
}

/** The code of one expression: throws Bail wherever the interpreter must decide. */
export type Generated = (bindings: object, limit: number, meter: Meter) => Value;

/**
 * Writes a JavaScript function for an expression, or gives undefined where some part of it has no code.
 *
 * Nothing of the expression's text gets into the code but literals, encoded as JSON, and numbers; names are counted
 * (`v1`, `k2`), and everything else is passed in.
 */
export function generateFunction(context: GeneratorContext): Generated | undefined {
  const generator = new Generator(context);
  try {
    const { emitter } = generator;
    const result = generator.boxed(generator.generate(context.ast.expr));
    emitter.settle();
    emitter.line(`const result = ${result};`);
    emitter.bailIf('c > limit');
    emitter.line('meter.cost = c;');
    emitter.line('return result;');
    return instantiate(emitter.text, emitter.constants);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

function instantiate(text: string, constants: readonly unknown[]): Generated {
  const helpers = Object.keys(runtime);
  const places = constants.map((_, index) => `k${index}`);
  const body = `return (b, limit, meter) => {\nlet c = 0;\n${text}\n};`;
  const make = new Function(...helpers, ...places, body);
  // The function has the parameters and the result that the text above gives it.
  return make(...Object.values(runtime), ...constants) as Generated;
}

import { expect, test } from 'vitest';
import { storedExpressions } from '../kubernetes-environments.ts';
import { compile } from '../compile.ts';
import { Declarations } from '../checker/declarations.ts';
import { declare } from '../types/declared-type.ts';
import { LazyFields } from './lazy-fields.ts';

/** Some are names that every object has. */
const usual = ['__proto__', 'hasOwnProperty', 'max', 'none'];

function evaluate(source: string, names: readonly string[]) {
  const FieldsOfTest = LazyFields.withFields(names);
  const computed: string[] = [];
  const fields = names.map((name): [string, ReturnType<typeof declare.string>] => [name, declare.string()]);
  const variables = new Declarations([['variables', declare.object('test.variables', fields)]]);
  const { program } = compile(source, storedExpressions(), { variables });
  const run = (how: 'evaluate' | 'interpret') => {
    computed.length = 0;
    const values = new FieldsOfTest((index) => {
      computed.push(names[index] ?? '');
      return `the ${names[index]}`;
    });
    const bindings = { variables: values };
    const { value, error } =
      how === 'evaluate' ? program.evaluate(bindings) : program.interpret(bindings, 1_000);
    return { value: error?.message ?? value, computed: [...computed] };
  };
  return [run('evaluate'), run('interpret')];
}

test.each([
  ['variables.max', 'the max', ['max']],
  ['variables.max + variables.max', 'the maxthe max', ['max']],
  ['variables.constructor', 'the constructor', ['constructor']],
  ['variables.__proto__', 'the __proto__', ['__proto__']],
  ['variables.hasOwnProperty', 'the hasOwnProperty', ['hasOwnProperty']],
  ['has(variables.none)', true, ['none']],
  ['true || variables.max == ""', true, []],
])('%s, by generated code and without', (source, value, computed) => {
  const names = source === 'variables.constructor' ? ['constructor'] : usual;
  for (const found of evaluate(source, names)) expect(found).toEqual({ value, computed });
});

import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as cel from './index.ts';

const page = readFileSync(new URL('../../docs/cel.md', import.meta.url), 'utf8');
const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];

test('the example of docs/cel.md prints the documented output', () => {
  const printed: string[] = [];
  const log = (value: unknown) =>
    printed.push(
      typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY }),
    );
  const body = code.replace(/^import \{(.*)\} from 'ilk-apiserver\/cel';$/m, 'const {$1} = cel;');
  new Function('cel', 'console', body)(cel, { log });
  expect(printed).toEqual(Array.from(code.matchAll(/\/\/ (.*)$/gm), ([, comment]) => comment));
  expect(printed).toHaveLength(4);
});

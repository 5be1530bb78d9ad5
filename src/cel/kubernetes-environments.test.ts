import { describe, expect, test } from 'vitest';
import { compile, newExpressions, storedExpressions } from './index.ts';

function isKnown(source: string, minor: number): boolean {
  try {
    compile(source, newExpressions({ major: 1, minor }));
    return true;
  } catch {
    return false;
  }
}

/** An expression for each library, and the version that introduced it. */
const introduced: readonly (readonly [minor: number, source: string])[] = [
  [25, "url('https://x/').getHost()"],
  [25, "'abc'.find('b')"],
  [25, '[1, 2].isSorted()'],
  [25, "'a,b'.split(',')"],
  [28, 'optional.none()'],
  [28, "{'a': 1}.?a"],
  [28, '1 < 1.5'],
  [28, "quantity('1').isInteger()"],
  [29, 'sets.contains([1], [1])'],
  [29, "'%d'.format([1])"],
  [30, "ip('::1').family()"],
  [30, "cidr('::/0').prefixLength()"],
  [31, 'format.date()'],
  [32, '[1].all(i, x, i < x)'],
  [33, "semver('1.2.3').major()"],
  [34, '[3, 1].sort()'],
  [34, '[3, 1].sortBy(x, -x)'],
  [37, '[1].includes(1)'],
];

describe('environments by version', () => {
  test.each(introduced)('1.%d introduced %s', (minor, source) => {
    expect(isKnown(source, minor)).toBe(true);
    expect(isKnown(source, minor - 1)).toBe(minor === 25);
  });

  test.each(introduced)('stored expressions may use features of 1.%d: %s', (_, source) => {
    expect(() => compile(source, storedExpressions())).not.toThrow();
  });

  test('JSON patches are available only on request', () => {
    const source = "jsonpatch.escapeKey('a/b~c')";
    expect(() => compile(source, storedExpressions())).toThrow("undeclared reference to 'jsonpatch'");
    expect(compile(source, storedExpressions({ jsonPatch: true })).program.evaluate({}).value).toBe(
      'a~1b~0c',
    );
  });

  test('features that Kubernetes never enables are missing', () => {
    for (const source of [
      'cel.bind(x, 1, x)',
      'math.greatest(1, 2)',
      "base64.encode(b'a')",
      "'ab'.reverse()",
    ]) {
      expect(() => compile(source, storedExpressions())).toThrow();
    }
  });
});

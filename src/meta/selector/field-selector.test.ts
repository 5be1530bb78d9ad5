import { describe, expect, test } from 'vitest';
import { parseFieldSelector } from './field-selector.ts';
import { SelectorError } from './selector-error.ts';

const selects = (selector: string, fields: Record<string, string>) =>
  parseFieldSelector(selector).matches((field) => fields[field] ?? '');

describe('a field selector in its normal form', () => {
  test.each([
    ['', ''],
    [',,', ''],
    ['=', ''],
    ['!=', ''],
    ['b=1,a=2', 'a=2,b=1'],
    ['a==b', 'a=b'],
    ['a!=b', 'a!=b'],
    ['a=', 'a='],
    ['=b', '=b'],
    ['a= b', 'a= b'],
    ['a=b\\,c', 'a=b\\,c'],
    ['a=b\\=c\\\\', 'a=b\\=c\\\\'],
    ['a=!b', 'a=!b'],
  ])('%j', (text, normal) => expect(parseFieldSelector(text).toString()).toBe(normal));

  test('requirements can be planned with', () => {
    const selector = parseFieldSelector('spec.color!=red,metadata.name==a\\,b');
    expect(selector.requirements).toEqual([
      { field: 'metadata.name', operator: '=', value: 'a,b' },
      { field: 'spec.color', operator: '!=', value: 'red' },
    ]);
    expect(selector.exactValue('metadata.name')).toBe('a,b');
    expect(selector.exactValue('spec.color')).toBeUndefined();
    expect(selector.isEmpty).toBe(false);
    expect(parseFieldSelector('').isEmpty).toBe(true);
  });
});

describe('what a field selector selects', () => {
  test.each([
    ['', {}, true],
    ['a=x', { a: 'x' }, true],
    ['a=x', { a: 'y' }, false],
    ['a=', {}, true],
    ['a!=x', {}, true],
    ['a!=x', { a: 'x' }, false],
    ['a=x,b!=y', { a: 'x', b: 'z' }, true],
    ['a=x,a=y', { a: 'x' }, false],
  ])('%j of %j: %s', (selector, fields, selected) => expect(selects(selector, fields)).toBe(selected));
});

describe('a field selector that cannot be read', () => {
  test.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['b=1,a', "invalid selector: 'b=1,a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=\\😀', 'invalid field selector: invalid escape sequence: \\😀'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j', (text, message) => expect(() => parseFieldSelector(text)).toThrow(new SelectorError(message)));
});

describe('set-based conditions, an extension', () => {
  const setBased = (text: string) => parseFieldSelector(text, { setBased: true });

  test.each([
    ['a in (x,y)', 'a in (x,y)'],
    [' a   in( x , y ) ,b=1', 'a in (x,y),b=1'],
    ['b=1,a notin (x),c!=2', 'a notin (x),b=1,c!=2'],
    ['a exists,!b', '!b,a exists'],
    ['a in ()', 'a in ()'],
    ['a in (,x,,x)', 'a in (,x)'],
    ['a in (x y)', 'a in (x y)'],
    ['a in (\\ x\\ ,\\,\\)\\(\\\\\\=)', 'a in (\\ x\\ ,\\,\\)\\(\\\\\\=)'],
    ['a in (b=c)', 'a in (b\\=c)'],
    ['spec.ports[*].name in (http)', 'spec.ports[*].name in (http)'],
    // Selectors that Kubernetes accepts keep their meaning.
    ['a=x in (y', 'a=x in (y'],
    ['a=in (x),b=y)', 'a=in (x),b=y)'],
    ['a!=exists', 'a!=exists'],
  ])('%j', (text, normal) => {
    expect(setBased(text).toString()).toBe(normal);
    expect(setBased(normal).toString()).toBe(normal);
  });

  test.each([
    ['a in (x,y)', { a: 'y' }, true],
    ['a in (x,y)', {}, false],
    ['a in (x,)', {}, true],
    ['a notin (x,y)', { a: 'x' }, false],
    ['a notin (x,y)', {}, true],
    ['a exists', { a: 'x' }, true],
    ['a exists', {}, false],
    ['!a', {}, true],
    ['!a', { a: 'x' }, false],
    ['a in (x,y),a!=x', { a: 'y' }, true],
  ])('%j of %j: %s', (selector, fields, selected) =>
    expect(setBased(selector).matches((field) => Object(fields)[field] ?? '')).toBe(selected),
  );

  test('of several values, any counts', () => {
    const names = (selector: string) => setBased(selector).matches(() => ['http', 'https']);
    const selectors = ['a=http', 'a!=http', 'a in (x,https)', 'a notin (x,https)', 'a notin (x)', 'a exists'];
    expect(selectors.map(names)).toEqual([true, false, true, false, true, true]);
  });

  test.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a in (x', "invalid selector: 'a in (x'; can't understand 'a in (x'"],
    ['a in (x) b', "invalid selector: 'a in (x) b'; can't understand 'a in (x) b'"],
    ['a in x', "invalid selector: 'a in x'; can't understand 'a in x'"],
    ['!', "invalid selector: '!'; can't understand '!'"],
    ['a in (\\x)', 'invalid field selector: invalid escape sequence: \\x'],
  ])('%j', (text, message) => expect(() => setBased(text)).toThrow(new SelectorError(message)));

  test('off, they are refused as Kubernetes refuses them', () => {
    const message = "invalid selector: 'a in (x,y)'; can't understand 'a in (x'";
    expect(() => parseFieldSelector('a in (x,y)')).toThrow(new SelectorError(message));
  });

  test('a long selector is read in time that grows with its length', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `v${at}`).join(',');
    expect(setBased(`a in (${many})`).requirements).toHaveLength(1);
    expect(() => setBased('a in ('.repeat(20_000))).toThrow(SelectorError);
    expect(() => setBased('a in (,'.repeat(100_000))).toThrow(SelectorError);
    expect(() => setBased(`${'a in (,'.repeat(100_000)}) x`)).toThrow(SelectorError);
    expect(() => setBased(`a in (${' '.repeat(50_000)}`)).toThrow(SelectorError);
  });
});

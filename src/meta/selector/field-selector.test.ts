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

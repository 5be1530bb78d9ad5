import { describe, expect, test } from 'vitest';
import { labelSelectorFromObject, parseLabelSelector } from './label-selector.ts';
import { SelectorError } from './selector-error.ts';

const selects = (selector: string, labels: Record<string, string>) =>
  parseLabelSelector(selector).matches(new Map(Object.entries(labels)));

describe('a label selector in its normal form', () => {
  test.each([
    ['', ''],
    ['  ', ''],
    ['app', 'app'],
    ['!app', '!app'],
    ['app=web', 'app=web'],
    ['app == web', 'app==web'],
    ['app!=web', 'app!=web'],
    ['x=', 'x='],
    ['x=,y', 'x=,y'],
    ['b=1,a=2', 'a=2,b=1'],
    ['x in (b, a,b)', 'x in (a,b)'],
    ['x notin (a)', 'x notin (a)'],
    ['x in ()', 'x in ()'],
    ['x in (,)', 'x in ()'],
    ['x in (a,,b)', 'x in (,a,b)'],
    ['x in(a)', 'x in (a)'],
    ['x>1,y<2', 'x>1,y<2'],
    ['in in (in)', 'in in (in)'],
    ['in', 'in'],
    ['notin=in', 'notin=in'],
    ['example.com/App in (a)', 'example.com/App in (a)'],
    ['a,', undefined],
    ['a\0,b', 'a,b'],
    ['a, \0b', undefined],
    ['constructor=a', 'constructor=a'],
  ])('%j', (text, normal) => {
    if (normal === undefined) expect(() => parseLabelSelector(text)).toThrow(SelectorError);
    else expect(parseLabelSelector(text).toString()).toBe(normal);
  });

  test('requirements can be planned with', () => {
    expect(parseLabelSelector('b in (y,x),a').requirements).toEqual([
      { key: 'a', operator: 'exists', values: [] },
      { key: 'b', operator: 'in', values: ['x', 'y'] },
    ]);
    expect(parseLabelSelector('').isEmpty).toBe(true);
    expect(parseLabelSelector('a').isEmpty).toBe(false);
  });
});

describe('what a label selector selects', () => {
  test.each([
    ['', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: 'x' }, false],
    ['a=x', { a: 'x' }, true],
    ['a=x', { a: 'y' }, false],
    ['a=x', {}, false],
    ['a=', {}, false],
    ['a=', { a: '' }, true],
    ['a!=x', {}, true],
    ['a!=x', { a: 'x' }, false],
    ['a in (x,y)', { a: 'y' }, true],
    ['a in (x,y)', {}, false],
    ['a notin (x,y)', {}, true],
    ['a notin (x,y)', { a: 'z' }, true],
    ['a notin (x,y)', { a: 'x' }, false],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: '5' }, false],
    ['a>5', { a: 'many' }, false],
    ['a>5', {}, false],
    ['a<5', { a: '-9223372036854775808' }, true],
    ['a<5', { a: '99999999999999999999' }, false],
    ['a=x,b', { a: 'x', b: '1' }, true],
    ['a=x,b', { a: 'x' }, false],
    ['toString', {}, false],
  ])('%j of %j: %s', (selector, labels, selected) => expect(selects(selector, labels)).toBe(selected));
});

const key =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('a label selector that cannot be read', () => {
  test.each([
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,=b', "found '=', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!=a', "found '!=', expected: !, identifier, or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=!', "unable to parse requirement: found '!', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (,!', "unable to parse requirement: found '!', expected: ',', or identifier"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['-a', `unable to parse requirement: <nil>: Invalid value: "-a": ${key}`],
    ['a=-b', `unable to parse requirement: values[0][a]: Invalid value: "-b": ${value}`],
    [
      'a in (_,b,-)',
      `unable to parse requirement: [values[0][a]: Invalid value: "-": ${value}, values[1][a]: Invalid value: "_": ${value}]`,
    ],
    [
      'a>b',
      `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('%j', (text, message) => expect(() => parseLabelSelector(text)).toThrow(new SelectorError(message)));

  test('a long one is refused in no time worth naming', () => {
    expect(() => parseLabelSelector(`a in (${'b,'.repeat(200_000)}`)).toThrow(SelectorError);
  });
});

describe('metav1.LabelSelector', () => {
  test.each([
    [{}, ''],
    [{ matchLabels: { b: 'x', a: '' } }, 'a=,b=x'],
    [
      {
        matchLabels: { z: '1' },
        matchExpressions: [
          { key: 'b', operator: 'In', values: ['y', 'x'] },
          { key: 'a', operator: 'NotIn', values: ['q'] },
          { key: 'd', operator: 'Exists' },
          { key: 'c', operator: 'DoesNotExist' },
        ],
      },
      'a notin (q),b in (x,y),!c,d,z=1',
    ],
  ])('%j', (object, text) => expect(labelSelectorFromObject(object).toString()).toBe(text));

  test.each([
    [{ key: 'a', operator: 'in' }, '"in" is not a valid label selector operator'],
    [
      { key: 'a', operator: 'In' },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { key: 'a', operator: 'Exists', values: ['b'] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    ],
    [{ key: '-', operator: 'Exists' }, `key: Invalid value: "-": ${key}`],
  ])('refuses %j', (expression, message) =>
    expect(() => labelSelectorFromObject({ matchExpressions: [expression] })).toThrow(
      new SelectorError(message),
    ),
  );
});

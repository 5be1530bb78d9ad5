import { describe, expect, test } from 'vitest';
import {
  sortElements,
  elementText,
  fieldElement,
  FieldsFormatError,
  indexElement,
  keyElement,
  parsePathElement,
  pathDisplay,
  valueElement,
} from './path-element.ts';
import { parsePathText } from './path-text.ts';

describe('a path element', () => {
  test('is written as FieldsV1 writes it', () => {
    expect(fieldElement('replicas')).toBe('f:replicas');
    expect(indexElement(3)).toBe('i:3');
    expect(valueElement('a<b')).toBe('v:"a\\u003cb"');
    expect(valueElement(2.0)).toBe('v:2');
    expect(valueElement(9007199254740993n)).toBe('v:9007199254740993');
    expect(valueElement(true)).toBe('v:true');
  });

  test('has the names of a key in order, whatever order they are given in', () => {
    const element = 'k:{"port":80,"protocol":"TCP"}';
    expect(
      keyElement([
        ['protocol', 'TCP'],
        ['port', 80],
      ]),
    ).toBe(element);
    expect(
      keyElement([
        ['port', 80],
        ['protocol', 'TCP'],
      ]),
    ).toBe(element);
  });

  test.each([
    ['f:', 'f:'],
    ['f:a:b.c/d', 'f:a:b.c/d'],
    ['f:__proto__', 'f:__proto__'],
    ['k: {"b": "x", "a" : 1} ', 'k:{"a":1,"b":"x"}'],
    ['k:{"__proto__":"x"}', 'k:{"__proto__":"x"}'],
    ['k:{"id":9007199254740993}', 'k:{"id":9007199254740993}'],
    ['v: 3', 'v:3'],
    ['v:2.0', 'v:2'],
    ['v:null', 'v:null'],
    ['v:"#1234567890123456789"', 'v:"#1234567890123456789"'],
    ['i:007', 'i:7'],
  ])('reads %s as %s', (text, canonical) => {
    expect(parsePathElement(text)).toBe(canonical);
  });

  test('of an unknown kind is nothing', () => {
    expect(parsePathElement('r:x')).toBeUndefined();
  });

  test.each([
    ['', 'key must be 2 characters long:'],
    ['f', 'key must be 2 characters long:'],
    ['foo', 'missing colon: foo'],
    ['i:1x', 'invalid index: "1x"'],
    ['i: 1', 'invalid index: " 1"'],
    ['v:{', 'invalid JSON in path element: "{"'],
    ['v:1 2', 'invalid JSON in path element: "1 2"'],
    ['k:[1]', 'key must be an object: "[1]"'],
  ])('refuses %j', (text, message) => {
    expect(() => parsePathElement(text)).toThrow(new FieldsFormatError(message));
  });

  test('prints as conflicts print it', () => {
    const path = [
      'f:spec',
      'k:{"name":"a\\"b","port":80}',
      'v:"x"',
      'i:3',
      'v:null',
      'v:[1,"a"]',
      'v:{"b":1}',
    ];
    expect(pathDisplay(path)).toBe('.spec[name="a\\"b",port=80][="x"][3][=null][=[1,"a"]][=b=1]');
    expect(elementText('f:a.b')).toBe('.a.b');
  });

  test('sorts by kind, then by content', () => {
    const ordered = [
      'f:a',
      'f:b',
      'f:\uffee',
      'f:\u{1f600}',
      'k:{"name":"a"}',
      'k:{"name":"a","port":9}',
      'k:{"name":"a","port":10}',
      'k:{"port":1}',
      'v:2',
      'v:10',
      'v:"a"',
      'v:false',
      'v:true',
      'v:[1]',
      'v:[1,2]',
      'v:{"a":1}',
      'v:null',
      'i:2',
      'i:10',
    ];
    expect(sortElements([...ordered].reverse())).toEqual(ordered);
  });
});

describe('a path as text', () => {
  test.each([
    ['', []],
    ['.spec.replicas', ['f:spec', 'f:replicas']],
    ['.list[port=80,protocol="T,]CP"].x', ['f:list', 'k:{"port":80,"protocol":"T,]CP"}', 'f:x']],
    ['.set[="a.b"]', ['f:set', 'v:"a.b"']],
    ['.set[=1]', ['f:set', 'v:1']],
    ['.list[4]', ['f:list', 'i:4']],
  ])('%s', (text, path) => {
    expect(parsePathText(text)).toEqual(path);
    expect(pathDisplay(path)).toBe(text);
  });

  test.each(['spec', '.a[', '.a[b]', '.a[=x]'])('%s is none', (text) => {
    expect(() => parsePathText(text)).toThrow(FieldsFormatError);
  });
});

import { describe, expect, test } from 'vitest';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  checkPathSegmentPrefix,
  dnsSubdomainName,
  maskTrailingDash,
} from './names.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const keyName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelKey =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

type Row = readonly [value: string, wrong: readonly string[]];
const rows = (check: (value: string) => string[], table: readonly Row[]) =>
  test.each(table)('%j', (value, wrong) => expect(check(value)).toEqual(wrong));

describe('a DNS label', () => {
  rows(checkDnsLabel, [
    ['default', []],
    ['0-9', []],
    ['a'.repeat(63), []],
    ['a'.repeat(64), ['must be no more than 63 characters']],
    ['a.b', ['must not contain dots']],
    ['', [label]],
    ['-a', [label]],
    ['a-', [label]],
    ['Aa', [label]],
    ['a\n', [label]],
    ['ä'.repeat(40), ['must be no more than 63 characters', label]],
  ]);
});

describe('a DNS subdomain', () => {
  rows(checkDnsSubdomain, [
    ['a.b-c.0', []],
    ['a'.repeat(253), []],
    ['a'.repeat(254), ['must be no more than 253 characters']],
    ['a..b', [subdomain]],
    ['a_b', [subdomain]],
    ['', [subdomain]],
    ['a.'.repeat(100_000), ['must be no more than 253 characters', subdomain]],
  ]);
});

describe('a DNS-1035 label', () => {
  rows(checkDns1035Label, [
    ['widgets', []],
    ['v1', []],
    ['1v', [dns1035]],
    ['a.b', [dns1035]],
    ['a'.repeat(64), ['must be no more than 63 characters']],
  ]);
});

describe('a label key', () => {
  rows(checkLabelKey, [
    ['app', []],
    ['example.com/App_1.x', []],
    ['__proto__', [keyName]],
    ['constructor', []],
    ['', ['name part must be non-empty', keyName]],
    ['/', ['prefix part must be non-empty', 'name part must be non-empty', keyName]],
    ['/a', ['prefix part must be non-empty']],
    ['a/', ['name part must be non-empty', keyName]],
    ['A/b', [`prefix part ${subdomain}`]],
    [`${'a'.repeat(254)}/b`, ['prefix part must be no more than 253 bytes']],
    ['a'.repeat(64), ['name part must be no more than 63 bytes']],
    ['a b', [keyName]],
    ['a/b/c', [labelKey]],
    ['a/b/c/d', [labelKey]],
  ]);
});

describe('a label value', () => {
  rows(checkLabelValue, [
    ['', []],
    ['My_value.1', []],
    ['a/b', [labelValue]],
    ['-a', [labelValue]],
    ['a'.repeat(64), ['must be no more than 63 bytes']],
  ]);
});

describe('a path segment', () => {
  rows(checkPathSegment, [
    ['Any Thing_at:all', []],
    ['.', ["may not be '.'"]],
    ['..', ["may not be '..'"]],
    ['a/%', ["may not contain '/'", "may not contain '%'"]],
  ]);

  test('may begin with dots', () => expect(checkPathSegmentPrefix('..')).toEqual([]));
});

describe('generateName', () => {
  test.each([
    ['web-', 'wea'],
    ['x_-', 'xa'],
    ['-', '-'],
    ['', ''],
    ['web', 'web'],
  ])('%j is checked as %j', (given, seen) => expect(maskTrailingDash(given)).toBe(seen));

  test('an underscore before the dash goes unseen, another does not', () => {
    expect(dnsSubdomainName.checkPrefix('x_-')).toEqual([]);
    expect(dnsSubdomainName.checkPrefix('x_y-')).toEqual([subdomain]);
    expect(dnsSubdomainName.checkName('x-')).toEqual([subdomain]);
  });
});

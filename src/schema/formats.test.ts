import { describe, expect, test } from 'vitest';
import { defaultFeatureGates, parseFeatureGates } from '../meta/index.ts';
import { findFormat, formats } from './formats/format-table.ts';

const gates = defaultFeatureGates();

/** Accepted and refused values of each format; the boundaries are Go's. */
const examples: Readonly<Record<string, { yes: string[]; no: string[] }>> = {
  bsonobjectid: { yes: ['507f1f77bcf86cd799439011'], no: ['507f1f77bcf86cd79943901', 'x'] },
  uri: {
    yes: [
      'http://a.b/c?d=e#f',
      '/path',
      'mailto:a@b',
      'http://u:p%20w@h:80/',
      'http://[::1]:80/',
      'pg://a:1,b:2/x',
      '*',
      'x:?',
      'http://h%ff/',
    ],
    no: [
      '',
      'a/b',
      ':foo',
      'http://[::1',
      'http://a:1:2/',
      '/a%zz',
      'http://h%41/',
      '/a\nb',
      'http://[1.2.3.4]/',
      'http://a:b/',
    ],
  },
  email: {
    yes: ['a@b', 'Bob <a@b.c>', '"q x"@b', 'a@[1.2.3.4]', 'g: a@b;', 'a@b (c(d))', 'é@ü.de', ' a@b '],
    no: ['', 'a', '.a@b', 'a..b@c', 'a@', 'a@b,c@d', 'g:;', '<a@b', 'a@[x]', '""@b', '(c) a@b'],
  },
  hostname: {
    yes: ['a', 'a.bc', 'a-b.com', 'é.de', 'a-b'],
    no: ['', 'ab-c', 'x.1a', '-a.com', 'a_b.com', `${'a'.repeat(64)}.com`],
  },
  ipv4: {
    yes: ['1.2.3.4', '01.002.3.4', '::ffff:1.2.3.4'],
    no: ['1.2.3', '256.1.1.1', '::1', '1.2.3.4.5', ''],
  },
  ipv6: {
    yes: ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
    no: ['1::2::3', 'fe80::1%eth0', '1.2.3.4', '00001::', '1:2:3:4:5:6:7::8:9', '::01.2.3.4'],
  },
  cidr: {
    yes: ['1.2.3.4/24', '2001:db8::/32', '01.2.3.4/024', '::/0'],
    no: ['1.2.3.4', '1.2.3.4/33', '::/129', '1.2.3.4/', '1.2.3.4/-1'],
  },
  mac: {
    yes: ['01:23:45:67:89:ab', '01-23-45-67-89-AB-cd-ef', '0123.4567.89ab', '0123456789ab'],
    no: ['01:23-45:67:89:ab', '01:23:45:67:89', ''],
  },
  uuid: {
    yes: ['F81D4FAE-7dec-11d0-a765-00a0c91e6bf6', 'f81d4fae7dec11d0a76500a0c91e6bf6'],
    no: ['f81d4fae', ''],
  },
  uuid3: { yes: ['f81d4fae-7dec-31d0-a765-00a0c91e6bf6'], no: ['f81d4fae-7dec-41d0-a765-00a0c91e6bf6'] },
  uuid4: { yes: ['f81d4fae-7dec-41d0-a765-00a0c91e6bf6'], no: ['f81d4fae-7dec-41d0-c765-00a0c91e6bf6'] },
  uuid5: { yes: ['f81d4fae-7dec-51d0-8765-00a0c91e6bf6'], no: ['f81d4fae-7dec-41d0-a765-00a0c91e6bf6'] },
  isbn: { yes: ['0321751043', '978-0321751041', '080442957X'], no: ['0321751044', ''] },
  isbn10: { yes: ['0 321 75104 3'], no: ['978-0321751041'] },
  isbn13: { yes: ['978-0321751041'], no: ['0321751043', '9780321751042'] },
  creditcard: { yes: ['4111 1111 1111 1111', '340000000000009'], no: ['4111 1111 1111 1112', '1234'] },
  ssn: { yes: ['123-45-6789', '123 45 6789'], no: ['123456789', '123-456789'] },
  hexcolor: { yes: ['#fff', 'ffffff'], no: ['#ffff', 'red'] },
  rgbcolor: { yes: ['rgb(1,2,3)', 'rgb( 255 , 0 , 10 )'], no: ['rgb(256,1,1)', 'rgb(01,1,1)', 'rgb(1,2)'] },
  byte: { yes: ['YQ==', 'YWI=', 'YWJj'], no: ['', 'YQ', 'Y===', 'YQ==\n', 'YQ==YQ=='] },
  password: { yes: ['', 'x'], no: [] },
  date: {
    yes: ['2020-02-29', '0000-02-29', '2000-02-29'],
    no: ['2021-02-29', '1900-02-29', '2020-1-01', '2020-00-10', '2020-01-01T'],
  },
  'date-time': {
    yes: [
      '2014-12-15T19:30:20.000Z',
      '2014-12-15t19:30:20z',
      '2014-12-15T19:30:20+99:99',
      '2014-12-15T19:30:20x1Z',
      '2014-12-15T19:30:20ZTx',
    ],
    no: [
      '2014-12-15T19:30:20',
      '2014-12-15T24:30:20Z',
      '2014-12-15T19:30:60Z',
      '2014-12-15 19:30:20Z',
      '2014-02-30T19:30:20Z',
    ],
  },
  duration: {
    yes: [
      '1h2m',
      '-1.5h',
      '0',
      '.5s',
      '5 days',
      '3 Sec',
      'foo 2 weeks bar',
      '1µs',
      '2562047h47m16.854775807s',
      '3hourly',
    ],
    no: ['', '1', 'x', '5x', '99999999999999999999s', '1 fortnight'],
  },
  'k8s-short-name': {
    yes: ['a', 'a-b', '0a', 'a'.repeat(63)],
    no: ['', '-a', 'a-', 'A', 'a.b', 'a'.repeat(64)],
  },
  'k8s-long-name': { yes: ['a', 'a.b', 'a'.repeat(253)], no: ['', 'a..b', '.a', 'a'.repeat(254)] },
  'k8s-label-key': {
    yes: ['a', 'A_b.c-d', 'example.com/Name', `${'a'.repeat(253)}/b`],
    no: ['', '/a', 'a/', 'a/b/c', 'Example.com/a', 'a b', 'a'.repeat(64), `${'a'.repeat(254)}/b`],
  },
  'k8s-label-value': { yes: ['', 'a', 'A_b.c'], no: ['-a', 'a b', 'a/b', 'a'.repeat(64)] },
};

describe('formats', () => {
  test('each has examples', () => {
    const ofStrings = formats.filter(({ type }) => type === 'string').map(({ name }) => name);
    expect(Object.keys(examples).sort()).toEqual(ofStrings.sort());
  });

  test.each(Object.entries(examples))('%s', (name, { yes, no }) => {
    const format = findFormat(name, ['string'], gates);
    expect(yes.filter((text) => format?.accepts?.(text) !== true)).toEqual([]);
    expect(no.filter((text) => format?.accepts?.(text) !== false)).toEqual([]);
  });

  test('apply only to some types, and names ignore dashes', () => {
    const name = (format: string, types: string[]) => findFormat(format, types, gates)?.name;
    expect(name('datetime', ['string'])).toBe('date-time');
    expect(name('date', [])).toBe('date');
    expect(name('date', ['integer', 'string'])).toBe('date');
    expect(name('date', ['integer'])).toBeUndefined();
    expect(name('date', ['object'])).toBeUndefined();
    expect(name('int32', ['integer'])).toBe('int32');
    expect(name('int-32', ['integer'])).toBeUndefined();
    expect(name('int32', ['number'])).toBeUndefined();
    expect(name('int32', ['integer', 'string'])).toBeUndefined();
    expect(name('double', ['number'])).toBe('double');
    expect(name('nonsense', ['string'])).toBeUndefined();
  });

  test('those of KEP-5667 require its gate', () => {
    const off = parseFeatureGates('CRDPropertyNameSchemas=false');
    expect(findFormat('k8s-label-key', ['string'], off)).toBeUndefined();
    expect(findFormat('k8s-short-name', ['string'], off)?.name).toBe('k8s-short-name');
  });

  test('each handles a megabyte in linear time', () => {
    const hostile = [
      '1'.repeat(1e6),
      'a'.repeat(1e6),
      '1 '.repeat(5e5),
      ':'.repeat(1e6),
      '('.repeat(1e6),
      'a.'.repeat(5e5),
      '"'.repeat(1e6),
      'a@b,'.repeat(2.5e5),
      '1h'.repeat(5e5),
    ];
    // Quadratic time would take hours.
    const accepted = formats.flatMap(({ name, accepts }) =>
      hostile.filter((text) => accepts?.(text)).map(() => name),
    );
    expect(new Set(accepted)).toEqual(new Set(['byte', 'password', 'duration']));
  });
});

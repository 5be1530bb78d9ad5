import {
  checkDnsSubdomain,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  notSupported,
  own,
  required,
  tooLong,
  isObject,
} from '../../meta/index.ts';
import { invalidAs, textAt } from './field-checks.ts';

/** What sources of volumes are held to, in pods and as PersistentVolumes. Source: kubernetes, pkg/apis/core/validation. */

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function hostPathErrors(source: JsonObject, path: string): FieldError[] {
  const where = textAt(source, 'path');
  if (where === '') return [required(`${path}.path`)];
  const type = textAt(source, 'type');
  return [
    ...backstepErrors(`${path}.path`, where),
    ...(hostPathTypes.includes(type) ? [] : [notSupported(`${path}.type`, type, hostPathTypes)]),
  ];
}

export function backstepErrors(path: string, text: string): FieldError[] {
  return text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : [];
}

export function nfsErrors(source: JsonObject, path: string): FieldError[] {
  const where = textAt(source, 'path');
  return [
    ...(textAt(source, 'server') === '' ? [required(`${path}.server`)] : []),
    ...(where === '' ? [required(`${path}.path`)] : []),
    ...(where.startsWith('/') ? [] : [invalid(`${path}.path`, where, 'must be an absolute path')]),
  ];
}

const driverNameBytesMax = 63;

export function csiDriverErrors(source: JsonObject, path: string): FieldError[] {
  const driver = textAt(source, 'driver');
  if (driver === '') return [required(`${path}.driver`)];
  return [
    ...(driver.length > driverNameBytesMax ? [tooLong(`${path}.driver`, driverNameBytesMax)] : []),
    ...invalidAs(`${path}.driver`, driver, (name) => checkDnsSubdomain(name.toLowerCase())),
  ];
}

/** Validates one source of a volume. */
export type SourceCheck = (source: JsonObject, path: string) => readonly FieldError[];

/** Of a source that is rarely met: it is taken as it is. */
export const asItIs: SourceCheck = () => [];

/** One source alone; those without a check are taken as they are. */
export function oneSourceErrors(
  object: JsonObject,
  path: string,
  checks: ReadonlyMap<string, SourceCheck>,
): { readonly errors: FieldError[]; readonly count: number } {
  const given = [...checks].filter(([field]) => (own(object, field) ?? null) !== null);
  const errors = given.flatMap(([field, check], index) => {
    if (index > 0) return [forbidden(`${path}.${field}`, 'may not specify more than 1 volume type')];
    const source = own(object, field);
    return isObject(source) ? check(source, `${path}.${field}`) : [];
  });
  return { errors, count: given.length };
}

import {
  compareBytes,
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownString,
} from '../../meta/index.ts';
import { noteAligned } from '../typed/align-with-type.ts';
import { encodeFieldsV1, FieldsV1Reader, type KnownSets, ownFieldsV1 } from '../field-set/fields-v1.ts';
import type { KindVersions, VersionedSet } from './kind-versions.ts';
import { type ManagerIdentity, managerKey } from './manager-identity.ts';

/** `metadata.managedFields` that cannot be read. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/** One manager of an object. */
export interface ManagerEntry extends VersionedSet {
  readonly identity: ManagerIdentity;
  /** RFC 3339, undefined where the entry has none. */
  readonly time: string | undefined;
}

/** The managers of an object by {@link managerKey}. */
export type ManagerEntries = ReadonlyMap<string, ManagerEntry>;

/**
 * Reads `metadata.managedFields`. Of two entries with one identity the last counts.
 *
 * @param known sets by the documents that they were read from, if those are kept and never changed
 * @throws {ManagedFieldsError} with upstream's words.
 * @throws {FieldsFormatError} for an entry whose `fieldsV1` is none.
 */
export function decodeManagedFields(
  list: JsonValue | undefined,
  known?: KnownSets,
): Map<string, ManagerEntry> {
  const entries = new Map<string, ManagerEntry>();
  if (list === undefined || list === null) return entries;
  if (!Array.isArray(list)) throw new ManagedFieldsError('managedFields must be a list');
  const reader = new FieldsV1Reader(known);
  for (const [index, item] of list.entries()) {
    const entry = decodeEntry(item, index, reader);
    const key = managerKey(entry.identity);
    entries.delete(key);
    entries.set(key, entry);
  }
  return entries;
}

/**
 * Makes the sets of `metadata.managedFields` known that {@link encodeManagedFields} wrote while the types were what they
 * are now, so that nobody need look into them to check them or to align them with the types.
 */
export function knowOwnManagedFields(
  list: JsonValue | undefined,
  { known, typeOf }: { readonly known: KnownSets; readonly typeOf: KindVersions['typeOf'] },
): void {
  if (!Array.isArray(list)) return;
  for (const entry of list) {
    const document = isObject(entry) ? own(entry, 'fieldsV1') : undefined;
    if (!isObject(document) || !isObject(entry) || known.has(document)) continue;
    const set = ownFieldsV1(document);
    known.set(document, set);
    const type = typeOf(ownString(entry, 'apiVersion') ?? '');
    if (type !== undefined) noteAligned(set, type);
  }
}

function decodeEntry(item: JsonValue, index: number, reader: FieldsV1Reader): ManagerEntry {
  const entry = isObject(item) ? item : {};
  const operation = ownString(entry, 'operation');
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  const apiVersion = ownString(entry, 'apiVersion') ?? '';
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  checkFieldsType(ownString(entry, 'fieldsType') ?? '', index);
  return {
    identity: {
      manager: ownString(entry, 'manager') ?? '',
      operation,
      apiVersion,
      subresource: ownString(entry, 'subresource') ?? '',
    },
    version: apiVersion,
    applied: operation === 'Apply',
    set: reader.read(own(entry, 'fieldsV1') ?? {}),
    time: ownString(entry, 'time'),
  };
}

function checkFieldsType(fieldsType: string, index: number): void {
  if (fieldsType === 'FieldsV1') return;
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  throw new ManagedFieldsError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
}

/** Writes `metadata.managedFields` in upstream's order; undefined where nobody manages anything. */
export function encodeManagedFields(entries: ManagerEntries): JsonObject[] | undefined {
  if (entries.size === 0) return undefined;
  return [...entries.values()].sort(compareEntries).map(encodeEntry);
}

function encodeEntry(entry: ManagerEntry): JsonObject {
  const { identity, version, time, set } = entry;
  return {
    apiVersion: version,
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(set),
    ...(identity.manager === '' ? {} : { manager: identity.manager }),
    operation: identity.operation,
    ...(identity.subresource === '' ? {} : { subresource: identity.subresource }),
    ...(time === undefined ? {} : { time }),
  };
}

/** What the order of entries depends on. */
type DatedEntry = Pick<ManagerEntry, 'identity' | 'time' | 'version'>;

/** By operation, time in whole seconds (none first), manager, version, subresource. */
export function compareEntries(a: DatedEntry, b: DatedEntry): number {
  return (
    compareBytes(a.identity.operation, b.identity.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareBytes(a.identity.manager, b.identity.manager) ||
    compareBytes(a.version, b.version) ||
    compareBytes(a.identity.subresource, b.identity.subresource)
  );
}

/** Whole seconds since the epoch; 0 for no time and for what is no time. */
export function secondsOf(time: string | undefined): number {
  const ms = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

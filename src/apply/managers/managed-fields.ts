import {
  atOnce,
  compareBytes,
  goQuote,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownString,
  type Steps,
} from '../../meta/index.ts';
import { noteAligned } from '../typed/align-with-type.ts';
import {
  encodeFieldsV1InSteps,
  FieldsV1Reader,
  type KnownSets,
  ownFieldsV1,
} from '../field-set/fields-v1.ts';
import type { KindVersions, VersionedSet } from './kind-versions.ts';
import { type ManagerIdentity, managerKey } from './manager-identity.ts';

/** Invalid `metadata.managedFields`. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/** One manager of an object. */
export interface ManagerEntry extends VersionedSet {
  readonly identity: ManagerIdentity;
  /** RFC 3339; undefined if the entry has no time. */
  readonly time: string | undefined;
}

/** The managers of an object by {@link managerKey}. */
export type ManagerEntries = ReadonlyMap<string, ManagerEntry>;

/**
 * Decodes `metadata.managedFields`. The last entry of an identity applies.
 *
 * @param known decoded sets by document, for documents that are kept and never change
 * @throws {ManagedFieldsError} with upstream's messages.
 * @throws {FieldsFormatError} for an entry with an invalid `fieldsV1`.
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
 * Registers the sets of `metadata.managedFields` that {@link encodeManagedFields} wrote with the current types, so
 * that they are neither validated nor aligned with the types again.
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

/** Encodes `metadata.managedFields` in upstream's order; undefined if there are no managers. */
export function encodeManagedFields(entries: ManagerEntries): JsonObject[] | undefined {
  return atOnce(encodeManagedFieldsInSteps(entries));
}

/** {@link encodeManagedFields}, in steps. */
export function* encodeManagedFieldsInSteps(entries: ManagerEntries): Steps<JsonObject[] | undefined> {
  if (entries.size === 0) return undefined;
  const list: JsonObject[] = [];
  for (const entry of [...entries.values()].sort(compareEntries)) list.push(yield* encodeEntry(entry));
  return list;
}

function* encodeEntry(entry: ManagerEntry): Steps<JsonObject> {
  const { identity, version, time, set } = entry;
  return {
    apiVersion: version,
    fieldsType: 'FieldsV1',
    fieldsV1: yield* encodeFieldsV1InSteps(set),
    ...(identity.manager === '' ? {} : { manager: identity.manager }),
    operation: identity.operation,
    ...(identity.subresource === '' ? {} : { subresource: identity.subresource }),
    ...(time === undefined ? {} : { time }),
  };
}

/** The sort key of an entry. */
type DatedEntry = Pick<ManagerEntry, 'identity' | 'time' | 'version'>;

/** By operation, time in seconds (none first), manager, version, subresource. */
export function compareEntries(a: DatedEntry, b: DatedEntry): number {
  return (
    compareBytes(a.identity.operation, b.identity.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareBytes(a.identity.manager, b.identity.manager) ||
    compareBytes(a.version, b.version) ||
    compareBytes(a.identity.subresource, b.identity.subresource)
  );
}

/** Seconds since the epoch; 0 for a missing or invalid time. */
export function secondsOf(time: string | undefined): number {
  const ms = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

import { equal, isObject, type JsonObject, own, ownList, ownObject, ownString } from '../../meta/index.ts';
import { gateStatesOf, resolveSchema } from '../../crd/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import { compareSchemas } from '../compare-schemas.ts';
import type { CrdDifference, CrdPair } from './crd-rule.ts';

/** Added and removed versions, and the changes in each. */
export function versions({ before, after }: CrdPair): CrdDifference[] {
  const [was, is] = [versionsOf(before), versionsOf(after)];
  return [
    ...[...is.keys()].filter((name) => !was.has(name)).map((name) => about(name, safe('version is new'))),
    ...[...was].flatMap(([name, old]) => {
      const present = is.get(name);
      return present === undefined
        ? [about(name, breaking('version is gone'))]
        : compareVersion(name, asGated(old, before), asGated(present, after));
    }),
  ];
}

/** A version, with the rules and enum values that its gates enable. */
function asGated(version: JsonObject, spec: JsonObject): JsonObject {
  const openAPIV3Schema = resolveSchema(schemaOf(version), gateStatesOf(spec));
  return { ...version, schema: { openAPIV3Schema } };
}

function about(version: string, difference: Difference, rule?: string): CrdDifference {
  return { version, path: '', ...difference, ...(rule === undefined ? {} : { rule }) };
}

function versionsOf(spec: JsonObject): Map<string, JsonObject> {
  const list = (ownList(spec, 'versions') ?? []).filter(isObject);
  return new Map(list.map((version) => [ownString(version, 'name') ?? '', version]));
}

function compareVersion(name: string, before: JsonObject, after: JsonObject): CrdDifference[] {
  const differences = [
    ...flag('served', { before, after }, breaking('is not served any more'), safe('is served now')),
    ...flag(
      'storage',
      { before, after },
      safe('is not the storage version any more'),
      safe('is the storage version now'),
    ),
    ...flag('deprecated', { before, after }, safe('is not deprecated any more'), safe('is deprecated now')),
  ];
  return [
    ...differences.map((difference) => about(name, difference)),
    ...selectableFields(before, after).map((difference) => about(name, difference, 'selectable-fields')),
    ...subresources(before, after).map((difference) => about(name, difference, 'subresources')),
    ...compareSchemas(schemaOf(before), schemaOf(after)).map((change) => ({ version: name, ...change })),
  ];
}

function schemaOf(version: JsonObject): JsonObject {
  return ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') ?? {};
}

function flag(name: string, { before, after }: CrdPair, off: Difference, on: Difference): Difference[] {
  const [was, is] = [own(before, name) === true, own(after, name) === true];
  return was === is ? [] : [is ? on : off];
}

function selectableFields(before: JsonObject, after: JsonObject): Difference[] {
  const [was, is] = [selectablePaths(before), selectablePaths(after)];
  return [
    ...was
      .filter((path) => !is.includes(path))
      .map((path) => breaking(`${path} cannot be selected by any more`)),
    ...is.filter((path) => !was.includes(path)).map((path) => safe(`${path} can be selected by now`)),
  ];
}

function selectablePaths(version: JsonObject): string[] {
  const fields = (ownList(version, 'selectableFields') ?? []).filter(isObject);
  return fields.map((field) => ownString(field, 'jsonPath') ?? '');
}

/** If status becomes a subresource, writes through the main endpoint ignore it, and the other way round. */
function subresources(before: JsonObject, after: JsonObject): Difference[] {
  const [was, is] = [ownObject(before, 'subresources') ?? {}, ownObject(after, 'subresources') ?? {}];
  const status = flagged('status', was, is, { lost: breaking, gained: breaking });
  const scale = flagged('scale', was, is, { lost: breaking, gained: safe });
  const [old, present] = [own(was, 'scale'), own(is, 'scale')];
  const moved = old !== undefined && present !== undefined && !equal(old, present);
  return [...status, ...scale, ...(moved ? [breaking('the paths of the scale subresource changed')] : [])];
}

function flagged(
  name: string,
  before: JsonObject,
  after: JsonObject,
  { lost, gained }: Readonly<Record<'lost' | 'gained', (message: string) => Difference>>,
): Difference[] {
  const [was, is] = [own(before, name) !== undefined, own(after, name) !== undefined];
  if (was === is) return [];
  return [is ? gained(`${name} is a subresource now`) : lost(`${name} is no subresource any more`)];
}

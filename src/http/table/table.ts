import type { PrinterColumn } from '../../crd/index.ts';
import {
  type Age,
  ageOf,
  ageText,
  isObject,
  type JsonObject,
  JsonPathError,
  type JsonValue,
  type KubeObject,
  nameOf,
  parseJsonPath,
  printerCell,
} from '../../meta/index.ts';
import { ageColumn } from '../../kinds/index.ts';
import { partialMetadata } from '../partial-metadata.ts';

/** The content of `object` in each row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may ' +
  'allow a client to request the generation of an appropriate name automatically. Name is primarily intended for ' +
  'creation idempotence and configuration definition. Cannot be updated. More info: ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';

/** The table columns of one version of a resource; prepared once for all lists and watches. */
export interface TableLayout {
  readonly columnDefinitions: JsonValue[];
  /** The cells of an object; an {@link AgeCell} if the text depends on the current time. */
  cells(object: KubeObject): (JsonValue | AgeCell)[];
  row(
    object: KubeObject,
    options: { readonly include: IncludeObject; readonly version: string; readonly nowMs: number },
  ): JsonObject;
}

/** A cell with the time since a timestamp. */
export class AgeCell {
  readonly #age: Age;

  constructor(age: Age) {
    this.#age = age;
  }

  /** The text of the cell at a time, in ms since 1970. */
  at(nowMs: number): string {
    return ageText(this.#age, nowMs);
  }
}

/** A changed CRD gets new columns. */
const layouts = new WeakMap<readonly PrinterColumn[], TableLayout>();

/**
 * The columns of a version: the name, then the CRD's columns, by default the age. An invalid path drops the remaining
 * columns, as upstream.
 */
export function tableLayout(declared: readonly PrinterColumn[]): TableLayout {
  const known = layouts.get(declared);
  if (known !== undefined) return known;
  const made = makeLayout(declared);
  layouts.set(declared, made);
  return made;
}

function makeLayout(declared: readonly PrinterColumn[]): TableLayout {
  const columns = readable(declared.length === 0 ? [ageColumn] : declared);
  const cells = (object: KubeObject) => [nameOf(object), ...columns.map((column) => cell(column, object))];
  return {
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
      ...columns.map(({ column }) => definition(column)),
    ],
    cells,
    row(object, { include, version, nowMs }) {
      const shown = cells(object).map((one) => (one instanceof AgeCell ? one.at(nowMs) : one));
      return { cells: shown, object: includedObject(object, include, version) };
    },
  };
}

/** A column and the path of its values. */
interface ReadableColumn {
  readonly column: PrinterColumn;
  readonly find: (object: KubeObject) => JsonValue[];
}

function finder({ jsonPath, read }: PrinterColumn): ReadableColumn['find'] {
  if (read !== undefined) return (object) => [read(object)];
  const path = parseJsonPath(jsonPath);
  return (object) => path.find(object);
}

function readable(declared: readonly PrinterColumn[]): ReadableColumn[] {
  const columns: ReadableColumn[] = [];
  for (const column of declared) {
    try {
      columns.push({ column, find: finder(column) });
    } catch (error) {
      if (error instanceof JsonPathError) break;
      throw error;
    }
  }
  return columns;
}

function definition({ name, type, format, description, priority, jsonPath }: PrinterColumn): JsonObject {
  const fallback = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, description: description === '' ? fallback : description, priority };
}

/** A path that fails for an object leaves its cell empty. */
function cell({ column, find }: ReadableColumn, object: KubeObject): JsonValue | AgeCell {
  try {
    const found = find(object);
    if (column.type !== 'date') return printerCell(column.type, found, 0);
    const age = ageOf(found);
    return typeof age === 'object' && age !== null ? new AgeCell(age) : age;
  } catch (error) {
    if (error instanceof JsonPathError) return null;
    throw error;
  }
}

/** The `object` of a row. */
export function includedObject(object: KubeObject, include: IncludeObject, version: string): JsonValue {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object, version);
}

/** A whole table. */
export function table(parts: {
  readonly version: string;
  readonly metadata: JsonObject;
  readonly columnDefinitions: JsonValue[] | null;
  readonly rows: JsonValue[];
}): JsonObject {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${parts.version}`,
    metadata: parts.metadata,
    columnDefinitions: parts.columnDefinitions,
    rows: parts.rows,
  };
}

/** The metadata of a table of one object: only the resourceVersion. */
export function tableMetadata(object: KubeObject): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const resourceVersion = metadata['resourceVersion'];
  return typeof resourceVersion === 'string' ? { resourceVersion } : {};
}

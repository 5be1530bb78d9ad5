import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import type { JsonObject, JsonValue } from '../../meta/index.ts';

/**
 * Scenarios collected from the tests of structured-merge-diff: schemas, sequences of applies and updates by several
 * managers, and the expected object, owners and conflicts. They are in a folder beside the checkout; without it these
 * tests are skipped, and the tables in the other files remain.
 */

export interface Operation {
  readonly apply?: JsonValue;
  readonly update?: JsonValue;
  readonly extract?: JsonValue;
  readonly setSchema?: string;
  readonly setVersions?: string[];
  readonly by: string;
  readonly v: string;
  readonly force?: boolean;
  readonly conflicts?: Record<string, string[]>;
  readonly error?: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly schema: string | Record<string, string>;
  readonly converter?: string;
  readonly versions?: string[];
  readonly ignore?: Record<string, string[]>;
  readonly ops: Operation[];
  readonly want: { v?: string; object?: JsonValue };
  readonly managed?: Record<string, { v: string; op: string; paths: string[] }>;
}

export interface Corpus {
  readonly schemas: Record<string, JsonObject>;
  readonly scenarios: Scenario[];
  readonly typed: {
    merge: { schema: string; l: JsonValue; r: JsonValue; out: JsonValue }[];
    compare: ({ schema: string; l: JsonValue; r: JsonValue } & Record<string, string[] | undefined>)[];
    remove_extract: { schema: string; o: JsonValue; paths: string[]; rm: JsonValue; ex: JsonValue }[];
  };
  readonly layers: {
    capManagers: { in: CapRow[]; out: CapRow[] | 'same' }[];
    sortEntries: { in: SortRow[]; out: SortRow[] }[];
    conflictMessage: { in: ConflictRow[]; causes: [string, string][]; message: string }[];
    scaleToSubresource: { in: ScaleRow[]; out: ScaleRow[] }[];
    scaleToParent: { parent: ScaleRow[]; scale: ScaleRow[]; out: ScaleRow[] }[];
  };
}

/** Manager, version, hour, fields. */
export type CapRow = [string, string, number, string[]];
/** Manager, operation, time, subresource. */
export type SortRow = [string, 'Apply' | 'Update', string | null, string];
/** Manager, operation, version, time, subresource, path. */
type ConflictRow = [string, 'Apply' | 'Update', string, string | null, string, string];
/** Manager, operation, version, subresource, paths. */
export type ScaleRow = [string, 'Apply' | 'Update', string, string, string[]];

function corpusFile(): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'shared', 'facts', 'apply-scenarios.yaml');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

const file = corpusFile();
// The file has a known shape; a wrong shape fails a scenario.
export const corpus = file === undefined ? undefined : (load(readFileSync(file, 'utf8')) as Corpus);

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../meta/index.ts';
import { runConverting, type VersionedValue } from './conversion.ts';
import { encodeFieldsV1 } from '../field-set/fields-v1.ts';
import type { Managers } from '../managers/kind-versions.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { pathDisplay } from '../field-set/path-element.ts';
import { valueTypeFromStructuralSchema } from '../types/structural-type.ts';
import { applyConfiguration, FieldConflictsError, updateManagers } from './updater.ts';
import { checkTyped } from '../typed/validate.ts';

/**
 * Random schemas and sequences of writes, with the results of structured-merge-diff. `schema` changes the schema
 * while objects exist.
 */
interface Write {
  readonly kind: 'apply' | 'update' | 'schema';
  readonly value?: JsonValue;
  readonly manager?: string;
  readonly version?: string;
  readonly force?: boolean;
}

interface Answer {
  readonly refused: boolean;
  readonly conflicts: string[];
  readonly live: JsonValue;
  readonly managers: Record<string, { set: string; version: string; applied: boolean }>;
}

interface Sequence {
  readonly schema: JsonObject;
  readonly schemaAfter: JsonObject;
  readonly writes: Write[];
  readonly answers: Answer[];
}

const sequences = readFileSync(new URL('go-writes.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Sequence => JSON.parse(line));

class Play {
  readonly #sequence: Sequence;
  #type: MergeType;
  #live: JsonValue = null;
  #managers: Managers = new Map();

  constructor(sequence: Sequence) {
    this.#sequence = sequence;
    this.#type = valueTypeFromStructuralSchema(sequence.schema);
  }

  answer(write: Write): Answer {
    if (write.kind === 'schema') {
      this.#type = valueTypeFromStructuralSchema(this.#sequence.schemaAfter);
      return this.#answer({});
    }
    const value = write.value ?? null;
    const problems = checkTyped(this.#type, value, { allowDuplicates: write.kind === 'update' });
    if (problems.length > 0) return this.#answer({ refused: true });
    try {
      this.#write(write, value);
    } catch (error) {
      if (!(error instanceof FieldConflictsError)) throw error;
      return this.#answer({
        conflicts: error.conflicts.map(({ manager, path }) => `${manager} ${pathDisplay(path)}`).sort(),
      });
    }
    return this.#answer({});
  }

  #write({ kind, manager = '', version = '', force = false }: Write, value: JsonValue): void {
    const write = { kind: { typeOf: () => this.#type }, manager, managers: this.#managers, force };
    const live: VersionedValue = { value: this.#live, version };
    const sameInEveryVersion = (request: { value: JsonValue }) => request.value;
    if (kind === 'update') {
      this.#managers = runConverting(updateManagers(live, { value, version }, write), sameInEveryVersion);
      this.#live = value;
      return;
    }
    const done = runConverting(applyConfiguration(live, { value, version }, write), sameInEveryVersion);
    this.#managers = done.managers;
    if (done.value !== undefined) this.#live = done.value;
  }

  #answer({ refused = false, conflicts = [] }: { refused?: boolean; conflicts?: string[] }): Answer {
    const managers = [...this.#managers].map(([name, { set, version, applied }]) => [
      name,
      { set: JSON.stringify(encodeFieldsV1(set, 'fieldpath')), version, applied },
    ]);
    return { refused, conflicts, live: this.#live, managers: Object.fromEntries(managers) };
  }
}

describe('what structured-merge-diff makes of random writes', () => {
  test.each(sequences.map((sequence, index) => [index, sequence] as const))('sequence %i', (_, sequence) => {
    const play = new Play(sequence);
    expect(sequence.writes.map((write) => play.answer(write))).toEqual(sequence.answers);
  });
});

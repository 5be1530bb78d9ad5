import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  defaultFeatureGates,
  FieldPath,
  fieldErrorText,
  type JsonObject,
  type JsonValue,
} from '../meta/index.ts';
import { checkSchema, compileSchema, MetadataTypeError } from './index.ts';

/**
 * Recorded from k8s.io/apiextensions-apiserver v0.37.2, one case per line: random schemas with random objects, and
 * invalid random schemas. Errors are sorted, because Go's map order is random.
 */
interface Answer {
  readonly op: 'validate' | 'update' | 'normalize' | 'refuse' | 'check' | 'check-update';
  readonly schema: JsonObject;
  readonly object: JsonObject;
  readonly old: JsonObject;
  readonly statusEnabled: boolean;
  readonly errors: readonly string[];
  readonly expected: JsonValue;
  readonly unknown: readonly string[];
  readonly text: string;
}

const lines = readFileSync(new URL('go-answers.test-data.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const answers: readonly Answer[] = lines.map((line) => JSON.parse(line));
const gates = defaultFeatureGates();
const about = (op: Answer['op']) =>
  answers.filter((answer) => answer.op === op).map((answer, index) => ({ ...answer, index }));
const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();

describe('recorded from upstream', () => {
  test.each(about('validate'))('to a create: $index', ({ schema, object, errors }) => {
    const report = compileSchema(schema, { gates }).validate({ object, scope: 'object' });
    expect(sorted(report.errors.map(fieldErrorText))).toEqual(sorted(errors));
  });

  test.each(about('update'))('to an update: $index', ({ schema, object, old, errors }) => {
    const report = compileSchema(schema, { gates }).validate({ object, old, scope: 'object' });
    expect(sorted(report.errors.map(fieldErrorText))).toEqual(sorted(errors));
  });

  test.each(about('normalize'))(
    'to what is dropped and added: $index',
    ({ schema, object, expected, unknown }) => {
      const unknownFields: string[] = [];
      compileSchema(schema, { gates }).normalize(object, { unknownFields });
      expect({ object, unknownFields }).toEqual({ object: expected, unknownFields: unknown });
    },
  );

  test.each(about('refuse'))('to wrong metadata: $index', ({ schema, object, text }) => {
    let found = '';
    try {
      compileSchema(schema, { gates }).normalize(object);
    } catch (error) {
      if (error instanceof MetadataTypeError) found = error.message;
    }
    expect(found).toBe(text);
  });

  test.each([...about('check'), ...about('check-update')])('to a schema: $op $index', (answer) => {
    const path = FieldPath.of('spec', 'validation', 'openAPIV3Schema');
    const options = { gates, statusEnabled: answer.statusEnabled };
    const old = answer.op === 'check' ? {} : { old: [answer.old] };
    const found = checkSchema(answer.schema, path, { ...options, ...old }).map(fieldErrorText);
    expect(sorted(found)).toEqual(sorted(answer.errors));
  });
});

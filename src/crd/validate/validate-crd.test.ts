import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fieldErrorText, isObject, type JsonObject, type KubeObject } from '../../meta/index.ts';
import { crdSchema } from '../decode/crd-schema.ts';
import { gates } from '../example.test-data.ts';
import { prepareCrdForCreate, prepareCrdForUpdate } from '../prepare.ts';
import { validateCrd } from './validate-crd.ts';

interface GoCase {
  readonly name: string;
  readonly crd: JsonObject;
  readonly old?: JsonObject;
  readonly errors: string[];
  readonly warnings: string[];
}

// The answers of apiextensions-apiserver 0.37.2 to these creates and updates; "standard" stands for one schema.
const document: { standard: JsonObject; cases: GoCase[] } = JSON.parse(
  readFileSync(new URL('go-cases.json', import.meta.url), 'utf8'),
);

function normalized(crd: JsonObject): KubeObject {
  const text = JSON.stringify(crd).replaceAll('"standard"', JSON.stringify(document.standard));
  const copy: KubeObject = JSON.parse(text);
  crdSchema().normalize(copy);
  // Upstream does this on read.
  const status = copy['status'];
  if (isObject(status) && status['storedVersions'] === null) {
    const prepared = { ...copy };
    prepareCrdForCreate(prepared, gates);
    if (isObject(prepared['status'])) status['storedVersions'] = prepared['status']['storedVersions'] ?? null;
  }
  return copy;
}

function verdict(one: GoCase) {
  const crd = normalized(one.crd);
  const old = one.old === undefined ? undefined : normalized(one.old);
  if (old === undefined) prepareCrdForCreate(crd, gates);
  else prepareCrdForUpdate(crd, old, gates);
  const { errors, warnings } = validateCrd(crd, old, { gates });
  return { errors: errors.map(fieldErrorText), warnings };
}

describe('a CRD that is created', () => {
  test.each(document.cases.filter((one) => one.old === undefined))('$name', (one) => {
    expect(verdict(one)).toEqual({ errors: one.errors, warnings: one.warnings });
  });
});

describe('a CRD that is updated', () => {
  test.each(document.cases.filter((one) => one.old !== undefined))('$name', (one) => {
    expect(verdict(one)).toEqual({ errors: one.errors, warnings: one.warnings });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, describe, expect, test } from 'vitest';
import type { CheckResult } from '../../src/offline/index.ts';
import { validate } from '../../src/cli/validate/validate.ts';
import { isObject, type JsonObject, type KubeObject, nameOf } from '../../src/meta/index.ts';
import { applyJsonPatch, parseJsonPatch } from '../../src/patch/index.ts';
import {
  type Case,
  crdOf,
  exceptions,
  files,
  folder,
  suiteOf,
  wordingToday,
} from './openshift-corpus.test-support.ts';

/** What the offline check says of the cases of openshift/api, which its server says, too: see openshift-suites. */
const place = mkdtempSync(join(tmpdir(), 'ilk-validate-'));
afterAll(() => rmSync(place, { recursive: true }));

function file(name: string, objects: readonly unknown[]): string {
  const path = join(place, `${name}.yaml`);
  writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return path;
}

function named(text: string | undefined, name: string): KubeObject {
  const object = load(text ?? '') as KubeObject;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { name, ...metadata } };
}

const withoutMetadata = ({ metadata: _, ...rest }: JsonObject): JsonObject => rest;

function expectOutcome(checked: CheckResult | undefined, one: Case): void {
  const texts = checked?.errors.map(({ message }) => message) ?? [];
  const text = texts.length > 1 ? `[${texts.join(', ')}]` : texts.join();
  const wanted = one.expectedError ?? one.expectedStatusError;
  if (wanted !== undefined) {
    expect(checked?.verdict).toBe('invalid');
    expect(text).toMatch(wordingToday(wanted.replace(/^.*? is invalid: /, '')));
    return;
  }
  expect(checked?.verdict, text).toBe('valid');
  expect(withoutMetadata(checked?.object ?? {})).toEqual(
    withoutMetadata(load(one.expected ?? '') as JsonObject),
  );
}

/** The verdicts on some objects, given what was there before. */
async function outcomes(crd: KubeObject, objects: readonly KubeObject[], old: readonly KubeObject[] = []) {
  const checked = await validate({
    paths: [file('new', objects)],
    crds: [file('crd', [crd])],
    old: [file('old', old)],
    strict: false,
    ignoreMissingSchemas: false,
    skip: new Set(),
    featureGates: undefined,
    onProgress: () => {},
  });
  expect(checked.length, JSON.stringify(checked)).toBe(objects.length);
  return checked;
}

function patched(crd: KubeObject, { initialCRDPatches = [] }: Case): KubeObject {
  return applyJsonPatch(crd, parseJsonPatch([...initialCRDPatches])) as KubeObject;
}

async function checkCreates(crd: KubeObject, cases: readonly Case[]): Promise<void> {
  const checked = await outcomes(
    crd,
    cases.map(({ initial }, index) => named(initial, `a${index}`)),
  );
  for (const [index, one] of cases.entries()) expectOutcome(checked[index], one);
}

/** Together, but for those that begin with a CRD of their own, or have a name of their own. */
async function checkUpdates(crd: KubeObject, cases: readonly Case[]): Promise<void> {
  const isAlone = (one: Case) => one.initialCRDPatches !== undefined || nameOf(named(one.initial, '')) !== '';
  for (const one of cases.filter(isAlone)) {
    const old = [patched(crd, one), named(one.initial, 'a')];
    expectOutcome((await outcomes(crd, [named(one.updated, 'a')], old))[0], one);
  }
  const together = cases.filter((one) => !isAlone(one));
  const pick = (part: 'initial' | 'updated') => together.map((one, index) => named(one[part], `a${index}`));
  const checked = await outcomes(crd, pick('updated'), [crd, ...pick('initial')]);
  for (const [index, one] of together.entries()) expectOutcome(checked[index], one);
}

describe.skipIf(folder === undefined)('offline, openshift/api (skipped where the corpus is absent)', () => {
  test.each(files)('%s', async (name) => {
    const crd = crdOf(name);
    const { onCreate = [], onUpdate = [] } = suiteOf(name).tests;
    const cases = (all: readonly Case[]) => all.filter((one) => exceptions[one.name] === undefined);
    await checkCreates(crd, cases(onCreate));
    await checkUpdates(crd, cases(onUpdate));
  });
});

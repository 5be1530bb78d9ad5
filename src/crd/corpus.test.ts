import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { clone, fieldErrorText, isObject, type JsonValue, type KubeObject } from '../meta/index.ts';
import { SchemaCache } from '../schema/index.ts';
import { compileResourceType } from './compile-resource-type.ts';
import { crdSchema } from './decode/crd-schema.ts';
import { gates } from './example.test-data.ts';
import { nonStructuralSchemaCondition } from './non-structural-schema.ts';
import { prepareCrdForCreate, prepareCrdForUpdate } from './prepare.ts';
import { validateCrd } from './validate/validate-crd.ts';

/** CRDs of real projects, if they are available: see `test/corpus.test-support.ts`. */
const corpus = process.env['ILK_CORPUS'];

function textsUnder(folder: string): [string, string][] {
  return readdirSync(folder).flatMap((name): [string, string][] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return textsUnder(path);
    if (!/\.ya?ml$/.test(name)) return [];
    const text = readFileSync(path, 'utf8');
    return /^kind: CustomResourceDefinition$/m.test(text) ? [[path, text]] : [];
  });
}

function crdsIn(text: string): KubeObject[] {
  // Timestamps become strings again, as in Kubernetes' YAML.
  const documents: JsonValue = JSON.parse(JSON.stringify(loadAll(text)));
  const objects = Array.isArray(documents) ? documents.filter(isObject) : [];
  return objects.filter((object) => object['kind'] === 'CustomResourceDefinition');
}

const crds = (corpus === undefined ? [] : textsUnder(corpus)).flatMap(([path, text]) =>
  crdsIn(text).map((crd, index) => ({ name: `${relative(corpus ?? '', path)} ${index}`, crd })),
);

/**
 * The few CRDs that upstream refuses too, and the refused fields: kustomize bases without a group, and annotations
 * whose key ends with a slash.
 */
const refused: readonly { readonly files: RegExp; readonly fields: readonly string[] }[] = [
  { files: /gatekeeper\/_/, fields: ['metadata.name', 'spec.group', 'spec.versions[0].name'] },
  { files: /featuregated__.*__AAA_ungated/, fields: ['metadata.annotations', 'metadata.annotations'] },
];

const mistakes = (name: string) => refused.find(({ files }) => files.test(name))?.fields ?? [];

function normalized(crd: KubeObject): KubeObject {
  const copy = clone(crd);
  crdSchema().normalize(copy);
  return copy;
}

describe.skipIf(corpus === undefined)('the definitions of real projects', () => {
  test('are all there', () => {
    expect(crds.length).toBe(264);
  });

  test.each(crds)('$name: is created, is read again unchanged, and compiles', ({ name, crd: read }) => {
    const crd = normalized(read);
    prepareCrdForCreate(crd, gates);
    expect(validateCrd(crd, undefined, { gates }).errors.map((error) => error.field)).toEqual(mistakes(name));
    expect(nonStructuralSchemaCondition(crd)).toBeUndefined();
    expect(JSON.stringify(normalized(crd))).toBe(JSON.stringify(crd));
    const schemas = new SchemaCache({ gates });
    for (const version of compileResourceType(crd, { gates, schemas }).versions) {
      expect(version.schema().validate({ object: {}, scope: 'object' }).warnings).toEqual([]);
    }
  });

  test('an update that changes nothing is never refused, and never warns', () => {
    const metadata = { resourceVersion: '1' };
    const sound = crds.filter(({ name }) => mistakes(name).length === 0);
    const verdicts = sound.map(({ crd }) => {
      const old = normalized({
        ...crd,
        metadata: { ...metadata, ...(isObject(crd['metadata']) ? crd['metadata'] : {}) },
      });
      prepareCrdForCreate(old, gates);
      const update = clone(old);
      prepareCrdForUpdate(update, old, gates);
      const { errors, warnings } = validateCrd(update, old, { gates });
      return [...errors.map(fieldErrorText), ...warnings];
    });
    expect(verdicts.flat()).toEqual([]);
  });
});

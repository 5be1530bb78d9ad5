import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, ownObject } from '../../meta/index.ts';
import { brokenOperations, danglingReferences, typeOf } from './documents.test-data.ts';
import { swaggerParameters } from './shared-parameters.ts';
import { serverPart, swaggerDefinitions, swaggerHead, swaggerPaths } from './v2-document.ts';
import { openApiV3Document } from './v3-document.ts';

/** Real CRDs, if the corpus is present: see `test/corpus.test-support.ts`. */
const corpus = process.env['ILK_CORPUS'];

function definitionFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return /^(samples|tests)/.test(name) ? [] : definitionFiles(path);
    return /\.ya?ml$/.test(name) ? [path] : [];
  });
}

function definitionsIn(path: string): JsonObject[] {
  const documents: unknown[] = loadAll(readFileSync(path, 'utf8'));
  return documents.filter(isObject).filter(({ kind }) => kind === 'CustomResourceDefinition');
}

describe.skipIf(corpus === undefined)('real CRDs', () => {
  const definitions = definitionFiles(corpus ?? '').flatMap(definitionsIn);
  const types = definitions.map((definition) => {
    const spec = ownObject(definition, 'spec') ?? {};
    const names = ownObject(spec, 'names') ?? {};
    return typeOf({ ...spec, names: { listKind: `${names['kind']}List`, ...names } });
  });

  test('the corpus has hundreds', () => {
    expect(types.length).toBeGreaterThan(200);
  });

  test('every reference in a document resolves', () => {
    for (const type of types) {
      for (const { name, served } of type.versions) {
        if (!served) continue;
        const document = openApiV3Document([type], name);
        expect(danglingReferences(document)).toEqual([]);
        expect(brokenOperations(document)).toEqual([]);
        expect(document['paths']).not.toEqual({});
      }
    }
  });

  test('every reference in the Swagger 2.0 document resolves', () => {
    const server = serverPart();
    for (const type of types) {
      const document: JsonObject = {
        ...swaggerHead,
        paths: swaggerPaths(type),
        definitions: { ...server.definitions, ...swaggerDefinitions(type) },
        parameters: swaggerParameters(),
      };
      expect(danglingReferences(document)).toEqual([]);
      expect(brokenOperations(document)).toEqual([]);
    }
  });
});

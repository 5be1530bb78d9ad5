import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCrds, loadObjects } from './load-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
const at = (name: string) => join(folder, name);
const write = (name: string, text: string) => {
  mkdirSync(join(at(name), '..'), { recursive: true });
  writeFileSync(at(name), text);
};
beforeAll(() => {
  write('two.yaml', 'kind: A\n---\n---\nkind: B\nname: b\n');
  write('list.json', '{"kind": "ThingList", "items": [\n  {"kind": "C"},\n  {"kind": "D"}\n]}');
  write('in/deep.yml', 'kind: E\n');
  write('in/notes.txt', 'kind: F\n');
  write('twice.yaml', 'kind: List\nitems:\n- kind: A\n- kind: B\n  kind: C\n');
  write('scalar.yaml', '\nkind: A\n---\n7\n');
  write('broken.yaml', 'a: [\n');
  write('old.yaml', 'apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n');
  write('[odd].yaml', 'kind: Odd\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `kind file:line` of each object, with files below the folder. */
const load = async (source: string) =>
  (await loadObjects(source)).map(
    ({ object, file, line }) => `${String(object['kind'])} ${file.replace(`${folder}/`, '')}:${line}`,
  );

describe('objects', () => {
  test.each([
    ['two.yaml', ['A two.yaml:1', 'B two.yaml:4']],
    ['list.json', ['C list.json:2', 'D list.json:3']],
    ['in', ['E in/deep.yml:1']],
    ['{list,two}.*', ['C list.json:2', 'D list.json:3', 'A two.yaml:1', 'B two.yaml:4']],
    ['**/d*.yml', ['E in/deep.yml:1']],
    ['t?o.yaml', ['A two.yaml:1', 'B two.yaml:4']],
    ['[st]wo.yaml', ['A two.yaml:1', 'B two.yaml:4']],
    // A file of that very name is that file.
    ['[odd].yaml', ['Odd [odd].yaml:1']],
  ])('of %s', async (source, expected) => expect(await load(at(source))).toEqual(expected));

  test('know the lines of their fields, and their own repeated keys', async () => {
    const [first, second] = await loadObjects(at('twice.yaml'));
    expect(first?.duplicates).toEqual([]);
    expect(second?.duplicates).toEqual([expect.stringMatching(/^line 5: key "kind" already set/)]);
    const [, b] = await loadObjects(at('two.yaml'));
    expect(b?.lineAt(['name'])).toBe(5);
  });
});

describe('refuses', () => {
  test.each([
    ['scalar.yaml', /scalar\.yaml:4: not an object$/],
    ['broken.yaml', /broken\.yaml: /],
    ['none.yaml', /none\.yaml: no such file or folder$/],
    ['*.none', /\*\.none: no file matches$/],
  ])('%s', async (source, text) => expect(load(at(source))).rejects.toThrow(text));

  test('CRDs of a version that is gone, and sources without any', async () => {
    await expect(loadCrds(at('old.yaml'))).rejects.toThrow(
      /old\.yaml:1: apiextensions\.k8s\.io\/v1beta1 is gone since Kubernetes 1\.22/,
    );
    await expect(loadCrds(at('two.yaml'))).rejects.toThrow(/two\.yaml: no CustomResourceDefinition in it$/);
  });

  test('resources that kubectl could take for flags', async () => {
    await expect(loadObjects('kube://a/--all')).rejects.toThrow(
      'kube://a/--all: write kube://CONTEXT/RESOURCES, as in kube://prod/widgets.example.com',
    );
  });
});

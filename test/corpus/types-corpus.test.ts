import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadFile } from '../../src/manifests/index.ts';
import { crdModules } from '../../src/cli/types/crd-module.ts';
import { widgetCrd } from '../fixtures/widgets.ts';
import { findCorpus } from '../corpus.test-support.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const corpus = findCorpus();

/** What the compiler says of files that are written to a folder where packages are found. */
function compile(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(root, 'node_modules', '.types-'));
  try {
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--module',
      'nodenext',
    ];
    const names = [...files.keys()].map((name) => join(folder, name));
    return spawnSync(process.execPath, [tsc, ...flags, ...names], { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(corpus === undefined)(
  'the types of every CRD of the corpus compile (skipped where the corpus is absent)',
  async () => {
    const modules = new Map<string, string>();
    for (const project of readdirSync(corpus ?? '', { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    )) {
      const folder = join(corpus ?? '', project.name);
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
        for (const { object } of await loadFile(join(folder, file))) {
          if (object['kind'] !== 'CustomResourceDefinition') continue;
          // Gatekeeper has a few leftovers of its generator without a group.
          if (file.startsWith('_')) {
            expect(() => crdModules(object, { standalone: true })).toThrow('spec.group: Required value');
            continue;
          }
          for (const { version, text } of crdModules(object, { standalone: true })) {
            modules.set(`${project.name}_${file.slice(0, -5)}_${version}.ts`, text);
          }
        }
      }
    }
    expect(modules.size).toBeGreaterThan(300);
    expect(compile(modules)).toBe('');
  },
);

test('the types are what @kubernetes/client-node takes, and wrong objects are errors', () => {
  const [module] = crdModules(widgetCrd, { standalone: false });
  const use = (spec: string) => `
    import type { KubernetesListObject, KubernetesObjectApi } from '@kubernetes/client-node';
    import type { Widget, WidgetList } from './widget.js';
    export const made = (api: KubernetesObjectApi) =>
      api.create<Widget>({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: ${spec} });
    export const listed: (list: WidgetList) => KubernetesListObject<Widget> = (list) => list;
  `;
  const files = (spec: string) =>
    new Map([
      ['widget.ts', module?.text ?? ''],
      ['use.ts', use(spec)],
    ]);
  expect(compile(files("{ color: 'blue' }"))).toBe('');
  expect(compile(files("{ color: 'mauve' }"))).toMatch(/Type '"mauve"' is not assignable/);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from '../src/cli/validate/validate.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const spec = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 0 },
    color: { type: 'string', enum: ['blue', 'green'] },
    names: { type: 'array', items: { type: 'string', maxLength: 10 } },
  },
};
const crd = crdOf('Widget', { versions: [versionOf({ spec })] });

const document = (at: number) =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w${at}\nspec:\n  size: ${at}\n  color: blue\n  names: [a, b]\n`;

/** kubeconform says of itself: 50,000 resources in 6.7 s. */
const kubeconformUs = 134;

/** `ilk validate` of a number of YAML documents of one simple kind, reading and parsing included. */
export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ilk-bench-'));
  try {
    const crds = join(folder, 'crd.json');
    writeFileSync(crds, JSON.stringify(crd));
    print('| objects | time | for each | kubeconform, as published |\n|---:|---:|---:|---:|');
    for (const count of [2_000, 10_000, 50_000]) {
      const path = join(folder, `${count}.yaml`);
      writeFileSync(path, Array.from({ length: count }, (_, at) => document(at)).join('---\n'));
      const ms = await timeOf(path, crds, count);
      print(
        `| ${count} | ${ms.toFixed(0)} ms | ${((ms * 1000) / count).toFixed(0)} us | ${kubeconformUs} us |`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function timeOf(path: string, crds: string, count: number): Promise<number> {
  const started = performance.now();
  const all = await validate({
    paths: [path],
    crds: [crds],
    old: [],
    strict: true,
    ignoreMissingSchemas: false,
    skip: new Set(),
    featureGates: undefined,
    onProgress: () => {},
  });
  const valid = all.filter(({ verdict }) => verdict === 'valid').length;
  if (valid !== count) throw new Error(`${valid} of ${count} are valid`);
  return performance.now() - started;
}

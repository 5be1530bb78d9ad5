import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with definitions and samples of real projects, which is not part of the repository: `shared/crds` in a
 * folder above, or what `$ILK_CORPUS` names. Tests find it in
 * `$ILK_CORPUS`, which the configuration of Vitest sets; those that need it are skipped without it.
 */
export function findCorpus(): string | undefined {
  const configured = process.env['ILK_CORPUS'];
  if (configured !== undefined) return configured;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'crds');
    if (existsSync(candidate)) return candidate;
    if (folder === resolve(folder, '..')) return undefined;
  }
}

import { stat } from 'node:fs/promises';
import { normalize } from 'node:path';
import { LoadError } from '../load-error.ts';
import { fileAt, filesBelow } from './files.ts';
import type { SourceKind } from './source.ts';

const wildcard = /[*?[{]/;

/**
 * `crds/*.yaml`, for shells that do not expand patterns: `*` and `?` within a name, `**` for any folders, `[ab]`,
 * `{a,b}`. An existing file with that name is taken as a file.
 */
export const globSource: SourceKind = {
  matches: async (name) => wildcard.test(name) && !(await exists(name)),
  open: async (name) => {
    const pattern = patternOf(normalize(name));
    const found = await filesBelow(fixedFolder(name)).catch(() => []);
    const files = found.filter((file) => pattern.test(normalize(file)));
    if (files.length === 0) throw new LoadError(`${name}: no file matches`);
    return files.map(fileAt);
  },
};

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The folder before the first pattern: `a/b` of `a/b/*.yaml`. */
function fixedFolder(glob: string): string {
  const segments = glob.split('/');
  const fixed = segments.slice(
    0,
    segments.findIndex((segment) => wildcard.test(segment)),
  );
  const folder = fixed.join('/');
  if (folder === '') return glob.startsWith('/') ? '/' : '.';
  return folder;
}

/** The parts of a pattern; the first match applies. */
const parts: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^\*\*\//, () => '(?:[^/]+/)*'],
  [/^\*\*/, () => '.*'],
  [/^\*/, () => '[^/]*'],
  [/^\?/, () => '[^/]'],
  [/^\[([!^]?)([^\]/]+)\]/, ([, not, set = '']) => `[${not ? '^' : ''}${set.replace(/[\\[^]/g, '\\$&')}]`],
  [/^\{([^{}]*)\}/, ([, list = '']) => `(?:${list.split(',').map(patternText).join('|')})`],
  [/^[\s\S]/, ([char]) => char.replace(/[\\^$.|?*+()[\]{}/]/, '\\$&')],
];

function patternOf(glob: string): RegExp {
  return new RegExp(`^${patternText(glob)}$`);
}

function patternText(glob: string): string {
  let rest = glob;
  let text = '';
  while (rest !== '') {
    for (const [pattern, meaning] of parts) {
      const match = pattern.exec(rest);
      if (match === null) continue;
      text += meaning(match);
      rest = rest.slice(match[0].length);
      break;
    }
  }
  return text;
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const source = join(repository, 'src');
/** Code beside src that imports from it. */
const outsideSource = ['test', 'bench'].map((folder) => join(repository, folder));

/**
 * Who may import whom, type imports included. ARCHITECTURE.md draws this table.
 * Adding a row is a decision: write it down in docs/decisions/.
 */
const mayImport: Record<string, readonly string[]> = {
  meta: [],
  regex: [],
  cel: ['regex'],
  grpc: [],
  storage: ['grpc'],
  codec: ['meta'],
  encryption: ['meta', 'codec', 'grpc', 'storage'],
  flowcontrol: ['meta'],
  manifests: ['meta', 'codec'],
  auth: ['meta'],
  authz: ['meta', 'codec', 'cel', 'auth', 'webhook'],
  audit: ['meta', 'codec', 'auth', 'webhook'],
  authn: ['meta', 'codec', 'cel', 'auth', 'webhook'],
  webhook: ['meta', 'codec'],
  schema: ['meta', 'regex', 'cel'],
  crd: ['meta', 'schema', 'regex', 'cel'],
  apply: ['meta', 'codec', 'schema'],
  patch: ['meta', 'apply'],
  diff: ['meta', 'crd'],
  admission: ['meta', 'codec', 'auth', 'cel', 'webhook', 'schema', 'crd', 'apply', 'patch'],
  cache: ['meta', 'storage', 'crd'],
  kinds: ['meta', 'codec', 'flowcontrol', 'cel', 'auth', 'schema', 'crd', 'apply'],
  registry: [
    'meta',
    'codec',
    'cel',
    'webhook',
    'schema',
    'crd',
    'apply',
    'patch',
    'admission',
    'cache',
    'kinds',
    'storage',
  ],
  discovery: ['meta', 'codec', 'schema', 'crd'],
  console: ['meta', 'codec', 'auth'],
  controllers: ['meta', 'codec', 'flowcontrol', 'crd', 'admission', 'registry'],
  access: ['meta', 'storage', 'auth', 'registry'],
  http: ['meta', 'codec', 'flowcontrol', 'crd', 'auth', 'audit', 'kinds', 'registry', 'discovery'],
  faults: ['meta', 'codec', 'webhook', 'http'],
  definitions: ['meta', 'codec', 'manifests', 'auth', 'crd', 'diff', 'registry', 'http'],
  client: ['meta', 'codec'],
};
/** The composition root and what stands above it may use any door. */
const topFloor = new Set(['server', 'library', 'testing', 'offline', 'playground', 'cli']);

/** The composition root is a file with a folder of the same name; every other room is a folder. */
const doorOf = (room: string) => (room === 'server' ? 'server.ts' : `${room}/index.ts`);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourceFiles(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map((match) => resolve(dirname(file), match[1] ?? ''));
}

const roomOf = (path: string) => relative(source, path).split('/')[0]?.replace(/\.ts$/, '') ?? '';

function breaches(file: string): string[] {
  const room = roomOf(file);
  return importsOf(file).flatMap((target) => {
    const other = roomOf(target);
    const path = relative(source, target);
    if (other === room) return [];
    const name = relative(source, file);
    if (path !== doorOf(other)) return [`${name}: ${other} has one door, ${doorOf(other)}, not ${path}`];
    if (topFloor.has(room)) return [];
    return mayImport[room]?.includes(other) ? [] : [`${name}: ${room} may not import ${other}`];
  });
}

/** Rooms in which the files beside the door are a folder like the others; elsewhere they stand with any of them. */
const strictRooms = new Set(['meta', 'apply', 'kinds', 'registry']);

/** The folder of a file within its room, as far as it has a place in the order of the folders. */
function folderOf(file: string): string | undefined {
  const [room = '', ...rest] = relative(source, file).split('/');
  if (rest.length > 1) return [room, ...rest.slice(0, -1)].join('/');
  return strictRooms.has(room) && rest[0] !== 'index.ts' ? room : undefined;
}

/** Which folders import which others of the same room, from the folders in which their ways part: `cel/a` and `cel/b`. */
function folderImports(code: readonly string[]): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of code) {
    for (const target of importsOf(file)) {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === undefined || to === undefined || roomOf(file) !== roomOf(target)) continue;
      const [a, b] = whereTheyPart(from, to);
      if (a !== b) imports.set(a, (imports.get(a) ?? new Set()).add(b));
    }
  }
  return imports;
}

/** A folder and one inside it do not part, except at the top of a strict room. */
function whereTheyPart(a: string, b: string): [string, string] {
  const [left, right] = [a.split('/'), b.split('/')];
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  if (same > 1 && (same === left.length || same === right.length)) return [a, a];
  return [left.slice(0, same + 1).join('/'), right.slice(0, same + 1).join('/')];
}

/** Every folder that leads back to itself, with the way: `a > b > a`. */
function circles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const wayBack = (at: string, end: string, seen: Set<string>): string[] | undefined => {
    for (const next of imports.get(at) ?? []) {
      if (next === end) return [at, end];
      if (seen.has(next)) continue;
      const rest = wayBack(next, end, seen.add(next));
      if (rest !== undefined) return [at, ...rest];
    }
    return undefined;
  };
  return [...imports.keys()].flatMap((folder) => wayBack(folder, folder, new Set())?.join(' > ') ?? []);
}

/** What users of the package import; scripts/build/entries.mjs lists them. */
const publicEntries = new Set(
  ['library', 'storage', 'schema', 'cel', 'testing'].map((room) => `${room}/index.ts`),
);

/** The names in `{ a, type B, c as d }`: of `as`, the one before it, or the one after it. */
function namesIn(list: string, side: 'before' | 'after'): string[] {
  const parts = list.split(',').map((part) => part.trim().replace(/^type\s+/, ''));
  return parts
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+/).at(side === 'before' ? 0 : -1) ?? '');
}

/** Each imported name with the file it is asked of: `/src/meta/index.ts clone`; `*` stands for all names. */
function importedNames(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(
    /(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*(?:\s+as\s+\w+)?)\s*from\s*'(\.[^']+)'/g,
  );
  return [...found].flatMap(([, list, path = '']) => {
    const target = resolve(dirname(file), path);
    return (list === undefined ? ['*'] : namesIn(list, 'before')).map((name) => `${target} ${name}`);
  });
}

/** The names that an index exports, those of `export *` among them. */
function exportedNames(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const lists = [...text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)];
  const stars = [...text.matchAll(/export\s+\*\s+from\s*'([^']+)'/g)];
  const own = [
    ...text.matchAll(/^export\s+(?:async\s+)?(?:const|class|function\*?|interface|type)\s+(\w+)/gm),
  ];
  return [
    ...lists.flatMap(([, list = '']) => namesIn(list, 'after')),
    ...stars.flatMap(([, path = '']) => exportedNames(resolve(dirname(file), path))),
    ...own.map(([, name = '']) => name),
  ];
}

/** The exports of indexes that no file outside the folder of the index imports: `meta/index.ts: clone`. */
function deadExports(files: readonly string[]): string[] {
  const isIndex = (file: string) => basename(file) === 'index.ts';
  const indexes = files.filter((file) => isIndex(file) && !publicEntries.has(relative(source, file)));
  const imported = new Set<string>();
  for (const file of [...files, ...outsideSource.flatMap(sourceFiles)]) {
    for (const use of importedNames(file)) {
      const inside = file.startsWith(`${dirname(use.slice(0, use.lastIndexOf(' ')))}/`);
      if (!inside) imported.add(use);
    }
  }
  return indexes.flatMap((index) => {
    if (imported.has(`${index} *`)) return [];
    const dead = exportedNames(index).filter((name) => !imported.has(`${index} ${name}`));
    return dead.map((name) => `${relative(source, index)}: ${name}`);
  });
}

const filesOf = (folder: string) =>
  readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());

describe('the house', () => {
  const files = sourceFiles(source);

  test('every file stands in a room', () => {
    const rooms = new Set([...Object.keys(mayImport), ...topFloor]);
    expect(files.map((file) => roomOf(file)).filter((room) => !rooms.has(room))).toEqual([]);
  });

  test('imports go down the floors and through the doors', () => {
    expect(files.flatMap(breaches)).toEqual([]);
  });

  test('folders of a room do not import each other in circles', () => {
    const code = files.filter((file) => !/\.test(-support|-data)?\.ts$/.test(file));
    expect(circles(folderImports(code))).toEqual([]);
  });

  test('no index exports what nobody imports', () => {
    expect(deadExports(files)).toEqual([]);
  });

  test('no folder has more than 40 files of its own', () => {
    const tests = fileURLToPath(new URL('.', import.meta.url));
    const folders = new Set([...files, ...sourceFiles(tests)].map((file) => dirname(file)));
    const full = [...folders].filter((folder) => filesOf(folder).length > 40);
    expect(full.map((folder) => relative(source, folder))).toEqual([]);
  });

  test('no room is named after nothing', () => {
    const junk = /(^|\/)(utils?|helpers?|common|misc)(\.|\/|$)/;
    expect(files.map((file) => relative(source, file)).filter((file) => junk.test(file))).toEqual([]);
  });

  test('no file of code has more than 400 lines', () => {
    const long = files
      .map((file) => ({ file: relative(source, file), lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ file, lines }) => lines > 401 && !file.endsWith('.test.ts'));
    expect(long).toEqual([]);
  });
});

/** The paths in backticks of ARCHITECTURE.md that are files or folders: `registry/verbs/`, `docs/cel.md`. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w./<>-]+)`/g)].map(([, name = '']) => name);
  return quoted.filter((name) => name.includes('/'));
}

/** Paths are below `src/` unless they begin with another folder; a placeholder stands for any name. */
function isThere(path: string): boolean {
  const known = path.split('/<')[0]?.replace(/<.*/, '') ?? '';
  const folder = path.includes('<') && !path.includes('/<') ? dirname(known) : known;
  return [repository, source].some((root) => existsSync(join(root, folder)));
}

/** The rows of the first table: a room, and the rooms that it may import. */
function tableOfRooms(text: string): Record<string, readonly string[]> {
  const rows = /\| room \| may import \|\n.*\n((?:\|.*\n)+)/.exec(text)?.[1] ?? '';
  const cells = rows.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(
    cells.flatMap(([, rooms = '', imports = '']) => {
      if (rooms === '' || imports === 'every door') return [];
      const list = imports === 'nothing of ours' ? [] : imports.split(', ');
      return rooms.split(', ').map((room) => [room, list] as const);
    }),
  );
}

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');

  test('names only files and folders that exist', () => {
    expect(namedPaths(text).length).toBeGreaterThan(80);
    expect(namedPaths(text).filter((path) => !isThere(path))).toEqual([]);
    expect(isThere('admission/plugin/<plugin>.ts')).toBe(false);
    expect(isThere('cli/flag/<name>-flag.ts')).toBe(false);
  });

  test('has the table of rooms that is checked', () => {
    const sorted = (table: Record<string, readonly string[]>) =>
      Object.fromEntries(Object.entries(table).map(([room, imports]) => [room, [...imports].sort()]));
    expect(sorted(tableOfRooms(text))).toEqual(sorted(mayImport));
  });
});

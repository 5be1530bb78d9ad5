// The reference of the package's API, made from the declarations that the package contains.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root, pagesFolder } from './paths.mjs';

/** The entries of the package in the order of the page that lists them; `library` is `ilk-apiserver` itself. */
const entries = ['library', 'testing', 'storage', 'schema', 'cel'];

const declarations = entries.map((name) => `${root}dist/lib/${name}.d.ts`);

/** Writes a page for each entry below reference/api/. Builds the declarations where they are missing. */
export async function writeApiPages() {
  if (!declarations.every(existsSync))
    execFileSync(process.execPath, ['scripts/build.mjs', '--types'], { cwd: root, stdio: 'inherit' });
  const { Application, TSConfigReader } = await import('typedoc');
  const app = await Application.bootstrapWithPlugins(options, [new TSConfigReader()]);
  const project = await app.convert();
  if (project === undefined) throw new Error('the API reference could not be made');
  for (const module of project.children ?? [])
    module.name = module.name === 'library' ? 'ilk-apiserver' : `ilk-apiserver/${module.name}`;
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('the API reference has errors');
  mendAnchors(`${pagesFolder}reference/api`);
}

/**
 * TypeDoc numbers the anchors of headings that repeat, and counts some that are not written: such a link gets the anchor
 * without its number.
 */
function mendAnchors(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const files = new Map(names.map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]));
  for (const [file, text] of files) {
    const mended = text.replaceAll(/\]\(([^)#\s]*)#([\w-]+)-(\d+)\)/g, (link, path, anchor, number) => {
      const target = files.get(path === '' ? file : resolve(dirname(file), path)) ?? '';
      return headings(target, anchor) > Number(number) ? link : `](${path}#${anchor})`;
    });
    writeFileSync(file, mended);
  }
}

const headings = (text, anchor) =>
  [...text.matchAll(/^#+ (.*)$/gm)].filter(
    ([, heading = '']) => heading.toLowerCase().replaceAll(/[^\w -]/g, '') === anchor,
  ).length;

const options = {
  entryPoints: declarations,
  tsconfig: `${root}site/tsconfig.api.json`,
  plugin: ['typedoc-plugin-markdown'],
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
  outputs: [{ name: 'markdown', path: `${pagesFolder}reference/api` }],
  name: 'API of the package',
  readme: 'none',
  logLevel: 'Warn',
  disableSources: true,
  excludePrivate: true,
  excludeExternals: false,
  // Exported types are made of others, which have no name for users: their text is shown, without a link.
  validation: { notExported: false, invalidLink: false },
  // Options of typedoc-plugin-markdown.
  router: 'module',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  expandParameters: true,
};

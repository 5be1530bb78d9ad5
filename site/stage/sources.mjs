// Pages that show the files of examples/ and deploy/, which other pages link to.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from './paths.mjs';

const languages = {
  cjs: 'js',
  go: 'go',
  java: 'java',
  js: 'js',
  json: 'json',
  mjs: 'js',
  py: 'python',
  rs: 'rust',
  service: 'ini',
  sh: 'sh',
  toml: 'toml',
  ts: 'ts',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  Dockerfile: 'docker',
};

/** @returns {string} a page with the text of a file of the repository */
export function sourcePage(path) {
  const name = posix.basename(path);
  const language = languages[name.split('.').at(-1)] ?? 'txt';
  const text = readFileSync(root + path, 'utf8').trimEnd();
  return `---\nsearch: false\n---\n\n# ${name}\n\n\`${path}\`\n\n\`\`\`\`\`${language}\n${text}\n\`\`\`\`\`\n`;
}

/**
 * @param {string} folder of the repository
 * @param {readonly string[]} files that the site shows
 * @returns {string} a list of links to the pages of the files in it
 */
export function fileList(folder, files) {
  const inside = files.filter((path) => path.startsWith(`${folder}/`) && !path.endsWith('README.md'));
  const lines = inside.map((path) => `- [\`${path.slice(folder.length + 1)}\`](/source/${path}.md)`);
  return `## Files\n\n${lines.join('\n')}\n`;
}

/** @returns {string[]} the folders of these files, and the folders around them */
export function foldersOf(files) {
  const folders = new Set();
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder))
      folders.add(folder);
  }
  return [...folders].sort();
}

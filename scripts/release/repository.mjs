// Where the sources of a release are: the package says so to registries, and the provenance of npm compares it with the workflow that
// publishes. It comes from the remote `origin`, so that the package of a fork names the fork.
import { spawnSync } from 'node:child_process';

const why = 'npm needs the repository for provenance';
/** `https://`, `ssh://`, `git://` with or without `git+`, and the short form of ssh. Users and ports are ignored. */
const forms = [
  /^(?:git\+)?(?:https?|ssh|git):\/\/(?:[^/@]+@)?github\.com(?::\d+)?\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i,
  /^(?:[\w.-]+@)?github\.com:\/?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i,
];

/** The owner and the name that the address of a repository on GitHub has. Throws an error that says what the address is instead. */
export function repositoryOf(address) {
  for (const form of forms) {
    const [, owner, name] = form.exec(address.trim()) ?? [];
    if (owner !== undefined && name !== undefined && !/^\.+$/.test(name)) return { owner, name };
  }
  throw new Error(
    `the remote origin is ${withoutSecrets(address)}, which is no repository on GitHub: ${why}`,
  );
}

/** The repository of the remote `origin` of a checkout. Throws where there is none. */
export function originOf(checkout) {
  const { status, stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Git has no remote origin: ${why}`);
  return repositoryOf(stdout.trim());
}

/** What package.json says of a repository. */
export function manifestFields({ owner, name }) {
  const page = `https://github.com/${owner}/${name}`;
  return {
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    repository: { type: 'git', url: `git+${page}.git` },
  };
}

/** Relative links of a page lead to the files of a tag, and its pictures are loaded from there: on a registry's page both would be lost. */
export function withAbsoluteLinks(markdown, { owner, name }, tag) {
  const file = (path) =>
    `https://github.com/${owner}/${name}/${path.endsWith('/') ? 'tree' : 'blob'}/${tag}/${path}`;
  const raw = (path) => `https://raw.githubusercontent.com/${owner}/${name}/${tag}/${path}`;
  const relative = '(?![a-z][a-z+.-]*:|[#/])(?:\\./)?';
  return outsideCode(markdown, (text) =>
    text
      .replaceAll(
        new RegExp(`\\b(src|srcset)="${relative}([^"]+)"`, 'g'),
        (_, key, path) => `${key}="${raw(path)}"`,
      )
      .replaceAll(
        new RegExp(`(!\\[[^\\]]*\\])\\(${relative}([^)\\s]+)\\)`, 'g'),
        (_, label, path) => `${label}(${raw(path)})`,
      )
      .replaceAll(new RegExp(`\\]\\(${relative}([^)\\s]+)\\)`, 'g'), (_, path) => `](${file(path)})`),
  );
}

/** Changes the text between blocks and spans of code. */
function outsideCode(markdown, change) {
  return markdown
    .split(/(^```[\s\S]*?^```$|`[^`\n]+`)/m)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('');
}

function withoutSecrets(address) {
  return address.replace(/\/\/[^/@]+@/, '//');
}

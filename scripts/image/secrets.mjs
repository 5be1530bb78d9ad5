// What the build may need of this machine to reach the registry of npm: its address and tokens, and authorities of its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './builder.mjs';

/** Writes the files into the folder, readable by the owner alone, and gives the arguments of the build. */
export function secrets(folder) {
  const config = (name) => run('npm', ['config', 'get', name]).trim();
  const user = config('userconfig');
  const kept = (existsSync(user) ? readFileSync(user, 'utf8') : '')
    .split('\n')
    .filter((line) => !/^(registry|cafile|prefix|cache)\b/.test(line));
  const npmrc = join(folder, 'npmrc');
  writeFileSync(npmrc, [...kept, `registry=${config('registry')}`, ''].join('\n'), { mode: 0o600 });
  const authority = [process.env['NODE_EXTRA_CA_CERTS'], config('cafile')].find(
    (path) => path && existsSync(path),
  );
  return [
    '--secret',
    `id=npmrc,src=${npmrc}`,
    ...(authority === undefined ? [] : ['--secret', `id=ca,src=${authority}`]),
  ];
}

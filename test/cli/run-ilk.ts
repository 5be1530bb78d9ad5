import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/ilk', import.meta.url));

export interface RunIlk {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a command beside this process, so that servers in it can answer. */
export async function runIlk(args: readonly string[], { cwd, env = {}, input = '' }: RunIlk) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, FORCE_COLOR: '', ...env },
  });
  child.stdin.end(input);
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out: out.replaceAll(`${cwd}/`, ''), err: err.replaceAll(`${cwd}/`, '') };
}

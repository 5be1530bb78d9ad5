import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** A command on a page, and what the page says that it answers. */
export interface Step {
  readonly command: string;
  readonly answer: string;
}

/** The commands of all `console` blocks of a page, each with the answer that the page shows. */
export function stepsOf(markdown: string): Step[] {
  const blocks = markdown.matchAll(/```console\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...answer] = part.split('\n');
        return { command, answer: answer.join('\n') };
      }),
  );
}

/** What a person sees in a terminal at the root of the repository: both streams, in order. */
export async function terminal(
  command: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { ...process.env, ...variables };
  const script = `(${command}) 2>&1 || true`;
  const { stdout } = await run('sh', ['-c', script], { cwd: root, env });
  return stdout;
}

/** `…` alone on a line stands for any lines, within a line for anything. */
export function matcher(answer: string): RegExp {
  const escaped = answer.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('\n…', '\n[\\s\\S]*').replaceAll('…', '.*')}\\s*$`);
}

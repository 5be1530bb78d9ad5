import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/** One shell for all commands of a page: what a command exports, the next one finds. */
export class Shell implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  #said = '';
  #onText: () => void = () => {};
  #marks = 0;

  constructor(folder: string, variables: Readonly<Record<string, string>>) {
    this.#child = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: 'pipe',
      // A process group of its own: npx leaves the program that it started when it is ended.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
        this.#onText();
      });
    }
    this.#child.once('close', () => this.#onText());
    this.#child.stdin.write('exec 2>&1\n');
  }

  /** Runs a command to its end. Gives what it said on both streams, and its exit code. */
  async run(command: string): Promise<{ readonly said: string; readonly code: number }> {
    const mark = `end-${(this.#marks += 1)}-of-command`;
    // Commands read no input: it is the script.
    this.#child.stdin.write(`{ ${command}\n} </dev/null; printf '${mark} %d\\n' $?\n`);
    for (;;) {
      const found = new RegExp(`${mark} (\\d+)\\n`).exec(this.#said);
      if (found !== null) {
        const said = stripVTControlCharacters(this.#said.slice(0, found.index));
        this.#said = this.#said.slice(found.index + found[0].length);
        return { said, code: Number(found[1]) };
      }
      if (this.#child.exitCode !== null) throw new Error(`the shell has ended: ${this.#said}`);
      await new Promise<void>((resolve) => {
        this.#onText = resolve;
      });
    }
  }

  /** Ends the shell and what it started in the background. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.stdin.end('kill -TERM $(jobs -p) 2>/dev/null; wait; exit 0\n');
    await closed;
    const { pid } = this.#child;
    if (pid !== undefined) endGroup(pid);
  }
}

/** Ends what is left of a process group. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // Nothing is left.
  }
}

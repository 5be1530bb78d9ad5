import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The minor version of the kubectl on the PATH (20 is v1.20); undefined where there is none. */
export const kubectlMinor: number | undefined = readMinor();

function readMinor(): number | undefined {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const json = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { stdio, encoding: 'utf8' });
    return Number.parseInt(JSON.parse(json).clientVersion.minor, 10);
  } catch {
    return undefined;
  }
}

/** How a command ended, and what it said. */
export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly input?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/** A kubectl that runs on while a test changes what it looks at. */
export class RunningKubectl {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #out = '';
  #err = '';
  #onText: () => void = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#heard(text, ''));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#heard('', text));
    this.#ended = once(child, 'close').then(() => this.#heard('', ''));
  }

  #heard(out: string, err: string): void {
    this.#out += out;
    this.#err += err;
    this.#onText();
  }

  /** Waits until the output has a text. @throws what was said where kubectl ends without it */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#out) ?? pattern.exec(this.#err);
      if (found !== null) return found;
      if (this.#child.exitCode !== null) throw new Error(`never said ${pattern}: ${this.#out}${this.#err}`);
      await new Promise<void>((resolve) => {
        this.#onText = resolve;
      });
    }
  }

  async ended(): Promise<Answer> {
    await this.#ended;
    return { code: this.#child.exitCode, out: this.#out, err: this.#err };
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}

/** kubectl with a kubeconfig, and a home folder of its own for what it caches. */
export class Kubectl implements Disposable {
  readonly #env: Record<string, string | undefined>;
  readonly folder: string;

  constructor(kubeconfigPath: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'ilk-kubectl-'));
    this.#env = { ...process.env, KUBECONFIG: kubeconfigPath, HOME: this.folder };
  }

  /** The words of a command line, split at spaces, then arguments as they are. */
  start(words: string, more: readonly string[] = [], options: RunOptions = {}): RunningKubectl {
    const child = spawn('kubectl', [...words.split(' '), ...more], {
      env: { ...this.#env, ...options.env },
      stdio: 'pipe',
    });
    child.stdin.end(options.input === undefined ? '' : JSON.stringify(options.input));
    return new RunningKubectl(child);
  }

  run(words: string, more: readonly string[] = [], options: RunOptions = {}): Promise<Answer> {
    return this.start(words, more, options).ended();
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('kms-plugin.test-support.mjs', import.meta.url));

/** The plugin's state; see `kms-plugin.test-support.mjs`. */
interface KmsState {
  readonly current: string;
  /** The key ID in its status, if it differs. */
  readonly status?: string;
  readonly healthz?: string;
  readonly version?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Its keys; `k1` and `k2` by default. */
  readonly keys?: Readonly<Record<string, string>>;
}

const key = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64');

/** The default keys of every plugin: the recorded values were encrypted with `k1`. */
const kmsKeys = { k1: key('a'), k2: key('b') };

/** A KMS v2 plugin in a separate process. */
export class KmsPlugin implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ilk-kms-'));
  #child: ChildProcess | undefined;

  constructor(state: KmsState = { current: 'k1' }) {
    this.set(state);
  }

  get endpoint(): string {
    return `unix://${this.#socket}`;
  }

  get #socket(): string {
    return join(this.#folder, 'kms.sock');
  }

  get #stateFile(): string {
    return join(this.#folder, 'state.json');
  }

  /** Changes its state for the next call. */
  set(state: KmsState): void {
    writeFileSync(this.#stateFile, JSON.stringify({ keys: kmsKeys, ...state }));
  }

  /** The names of the calls so far. */
  calls(name: 'Status' | 'Encrypt' | 'Decrypt'): number {
    const file = `${this.#stateFile}.calls`;
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    return lines.filter((line) => line === name).length;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [program, this.#socket, this.#stateFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    await once(child.stdout ?? child, 'data');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(this.#socket, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

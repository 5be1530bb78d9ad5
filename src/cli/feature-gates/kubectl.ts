import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Option } from 'commander';

/** The connection flags of every kubectl command; passed on unchanged. */
const connectionFlags: readonly string[] = [
  '--as <user>',
  '--as-group <group...>',
  '--as-uid <uid>',
  '--cache-dir <dir>',
  '--certificate-authority <file>',
  '--client-certificate <file>',
  '--client-key <file>',
  '--cluster <name>',
  '--context <name>',
  '--insecure-skip-tls-verify',
  '--kubeconfig <file>',
  '--request-timeout <duration>',
  '-s, --server <url>',
  '--tls-server-name <name>',
  '--token <token>',
  '--user <name>',
];

/** The flags of {@link Kubectl}, which `--help` does not repeat. */
export function connectionOptions(): Option[] {
  return connectionFlags.map((flags) => new Option(flags).hideHelp());
}

/** A failed kubectl command; it has printed the reason on stderr. */
export class KubectlError extends Error {
  override readonly name = 'KubectlError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs the kubectl that started this plugin. It handles all kinds of kubeconfigs, credentials and proxies; its
 * messages, including warnings of the server, go directly to stderr.
 */
export class Kubectl {
  readonly #flags: readonly string[];

  /** @param options the {@link connectionOptions}, as parsed by commander */
  constructor(options: Readonly<Record<string, unknown>>) {
    this.#flags = connectionOptions().flatMap((option) => {
      const value = options[option.attributeName()];
      const values = Array.isArray(value) ? value : [value];
      return values.flatMap((one) => (one === undefined ? [] : [`${option.long}=${String(one)}`]));
    });
  }

  /**
   * Runs a command and returns its output.
   *
   * @throws {KubectlError} if kubectl is missing or fails
   */
  async run(...args: readonly string[]): Promise<string> {
    const child = spawn('kubectl', [...args, ...this.#flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new KubectlError('kubectl is not on the PATH', 1);
      throw error;
    });
    if (code !== 0) throw new KubectlError(`kubectl ${args[0]} failed`, Number(code ?? 1));
    return Buffer.concat(chunks).toString();
  }
}

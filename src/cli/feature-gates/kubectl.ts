import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Option } from 'commander';

/** What every kubectl command understands about the server and who asks; handed on as it is. */
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

/** A command of kubectl that failed; it has said why on stderr. */
export class KubectlError extends Error {
  override readonly name = 'KubectlError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The kubectl that started this plugin. It knows kubeconfigs, credentials and proxies of every kind; what it has to say,
 * warnings of the server among it, goes to stderr past us.
 */
export class Kubectl {
  readonly #flags: readonly string[];

  /** @param options as commander reads {@link connectionOptions} */
  constructor(options: Readonly<Record<string, unknown>>) {
    this.#flags = connectionOptions().flatMap((option) => {
      const value = options[option.attributeName()];
      const values = Array.isArray(value) ? value : [value];
      return values.flatMap((one) => (one === undefined ? [] : [`${option.long}=${String(one)}`]));
    });
  }

  /**
   * Runs a command and gives what it prints.
   *
   * @throws {KubectlError} where there is no kubectl, or it fails
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

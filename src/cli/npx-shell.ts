const pollMs = 250;

/**
 * The shell in which npx runs `ilk`. npx passes SIGTERM on to this shell only, so the program has to notice that its
 * shell has ended.
 */
export class NpxShell {
  readonly #pid: number = process.ppid;

  private constructor() {}

  /** Undefined if npx did not start this process. The variables are inherited by the programs of a script, so `ilk` must be named. */
  static find(env: Readonly<Record<string, string | undefined>>): NpxShell | undefined {
    const command = env['npm_lifecycle_script'] ?? '';
    const isNpx = env['npm_lifecycle_event'] === 'npx' && /^(['"]?)ilk(-apiserver)?\1$/.test(command);
    return isNpx ? new NpxShell() : undefined;
  }

  /** Calls once, after the end of the shell. Does not keep the process alive. */
  onEnd(callback: () => void): void {
    const timer = setInterval(() => {
      if (process.ppid === this.#pid) return;
      clearInterval(timer);
      callback();
    }, pollMs);
    timer.unref();
  }
}

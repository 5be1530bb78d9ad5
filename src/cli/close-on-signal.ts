import type { IlkServer } from '../server.ts';
import type { Logger } from './log.ts';
import type { NpxShell } from './npx-shell.ts';

/** Closes on a signal: the first one drains, a second one exits at once. Also closes after the end of the shell of npx. */
export function closeOnSignal(server: IlkServer, log: Logger, shell?: NpxShell): Promise<void> {
  return new Promise((done) => {
    let closing = false;
    const close = (reason: string) => {
      closing = true;
      log.info(`${reason}: closing`);
      void server.close().then(done);
    };
    const onSignal = (signal: NodeJS.Signals) => {
      if (closing) process.exit(1);
      close(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    // Ctrl-C ends the shell as well: that is no second signal.
    shell?.onEnd(() => {
      if (!closing) close('npx has ended');
    });
  });
}

import type { IlkServer } from '../server.ts';
import type { Logger } from './log.ts';

/** Closes on a signal: the first one drains, a second one exits at once. */
export function closeOnSignal(server: IlkServer, log: Logger): Promise<void> {
  return new Promise((done) => {
    let closing = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (closing) process.exit(1);
      closing = true;
      log.info(`${signal}: closing`);
      void server.close().then(done);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

import type { IlkServer } from '../server.ts';
import type { Logger } from './log.ts';

/** The first signal drains, a second one does not wait. */
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

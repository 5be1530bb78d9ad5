import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { main } from '../../src/cli/main.ts';

/** `ilk serve`, which profiles itself from the message `start` to a message that names the file for the profile. */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 300 });
process.on('message', (message: string) => {
  if (message === 'start') session.post('Profiler.start');
  else
    session.post('Profiler.stop', (error, { profile }) => {
      if (error !== null) throw error;
      writeFileSync(message, JSON.stringify(profile));
      process.send?.('written');
    });
});
await main(process.argv.slice(2));

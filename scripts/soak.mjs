// `npm run soak`: an hour of mixed load on a server in a process of its own; `npm run soak -- --seconds 900` takes less.
import './check-node.mjs';
import { runBundled } from './run-bundled.mjs';

process.exit(await runBundled('test/soak/main.ts', process.argv.slice(2), ['test/soak/server.ts']));

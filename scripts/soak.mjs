// `npm run soak`: an hour of mixed load on a server in a process of its own; `npm run soak -- --seconds 900` takes less.
// `npm run soak -- hostile`: rounds of connections that break the protocol instead.
import './check-node.mjs';
import { runBundled } from './run-bundled.mjs';

const [first, ...rest] = process.argv.slice(2);
const isHostile = first === 'hostile';
const entry = isHostile ? 'test/soak/hostile.ts' : 'test/soak/main.ts';
process.exit(await runBundled(entry, isHostile ? rest : process.argv.slice(2), ['test/soak/server.ts']));

// `npm run fuzz`: bundles and runs the fuzzers; `npm run fuzz -- bodies --seed 7` runs one of them. docs/fuzzing.md tells more.
import './check-node.mjs';
import { runBundled } from './run-bundled.mjs';

process.exit(await runBundled('test/fuzz/main.ts', process.argv.slice(2)));

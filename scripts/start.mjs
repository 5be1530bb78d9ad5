// `npm start`: a fresh clone installs, builds and serves. Arguments after `--` go to `ilk serve`.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './prepare.mjs';

const ilk = fileURLToPath(new URL('../bin/ilk', import.meta.url));
const child = spawn(process.execPath, [ilk, 'serve', ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));

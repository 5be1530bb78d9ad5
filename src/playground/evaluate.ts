/** What the endpoint loads when it is first asked. */
export { readCase } from './playground-case.ts';
export { runCase } from './run-case.ts';

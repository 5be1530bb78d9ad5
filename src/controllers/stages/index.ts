export { isMeant } from './choose-stage.ts';
export { parseStages } from './parse-stage.ts';
export { runStages } from './stage-runner.ts';
export type { Stage } from './stage.ts';

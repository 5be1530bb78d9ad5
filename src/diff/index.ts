export { compareCrds } from './compare-crds.ts';
export { type CrdChange, diffCrds } from './diff-crds.ts';
export { ruleNames } from './rule-names.ts';

import { isObject, type JsonValue } from '../../meta/index.ts';
import type { NormalizeRun } from './normalize-run.ts';

/** Empties every object in a value without a schema; scalars, and lists as such, are kept. */
export function pruneEverything(value: JsonValue, run: NormalizeRun, depth: number): void {
  if (run.onlyDefaults) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      run.steps[depth] = index;
      pruneEverything(item, run, depth + 1);
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      run.drop(key, depth);
      delete value[key];
    }
  }
}

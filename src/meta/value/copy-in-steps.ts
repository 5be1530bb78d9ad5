import type { Steps } from '../time/steps.ts';
import { emptyDictionary, type JsonObject, own, put } from './value.ts';

/** So many members are copied in one step. */
const membersInStep = 1_024;

/** An object with the same members, which are shared; in steps where they are many. */
export function* copyInSteps(object: JsonObject): Steps<JsonObject> {
  const keys = Object.keys(object);
  if (keys.length <= membersInStep) return { ...object };
  const copy = emptyDictionary();
  for (const [index, key] of keys.entries()) {
    if (index % membersInStep === 0) yield;
    put(copy, key, own(object, key) ?? null);
  }
  return copy;
}

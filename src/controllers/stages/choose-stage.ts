import { isObject, type JsonValue, type KubeObject, metadataOf, own, stringMap } from '../../meta/index.ts';
import type { Stage, StageExpression } from './stage.ts';

/** The stage that an object is in: of those that match the one with the highest weight, then the first. */
export function chooseStage(stages: readonly Stage[], object: KubeObject): Stage | undefined {
  let chosen: Stage | undefined;
  for (const stage of stages) {
    if (chosen !== undefined && stage.weight <= chosen.weight) continue;
    if (isMeant(stage, object) && stage.selector.expressions.every((one) => holds(one, object)))
      chosen = stage;
  }
  return chosen;
}

/** Whether a stage is for an object by its labels and annotations, whatever its fields say now. */
export function isMeant({ selector }: Stage, object: KubeObject): boolean {
  const metadata = metadataOf(object);
  return (
    has(stringMap(own(metadata, 'labels')), selector.labels) &&
    has(stringMap(own(metadata, 'annotations')), selector.annotations)
  );
}

function has(present: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): boolean {
  return [...wanted].every(([key, value]) => present.get(key) === value);
}

/** A field that is absent or null does not exist. Others are compared as text. */
function holds({ path, operator, values }: StageExpression, object: KubeObject): boolean {
  const value = path.reduce<JsonValue | undefined>(
    (at, step) => (isObject(at) ? own(at, step) : undefined),
    object,
  );
  const exists = value !== undefined && value !== null;
  if (operator === 'Exists') return exists;
  if (operator === 'DoesNotExist') return !exists;
  const isIn = exists && values.includes(typeof value === 'string' ? value : JSON.stringify(value));
  return operator === 'In' ? isIn : !isIn;
}

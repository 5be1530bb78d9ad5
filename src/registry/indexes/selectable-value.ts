import type { SelectableField } from '../../crd/index.ts';
import { goPrint, type JsonValue, type KubeObject, isObject, own } from '../../meta/index.ts';

/** The step for each element of a list in a path: `.spec.ports[*].name`. */
const eachElement = '[*]';

/**
 * Makes a reader for the value of a selectable path, printed as Go does; empty if absent. For a path through lists it
 * returns the value of each element that has one.
 *
 * CRD validation accepts only paths of strings, integers and booleans.
 * Source: apiextensions-apiserver, customresource/strategy.go selectableFields.
 */
export function selectableValueReader(field: SelectableField): (object: KubeObject) => string | string[] {
  const { fieldPath, read } = field;
  if (read !== undefined) return read;
  const steps = fieldPath.split('.').map(stepOf);
  if (steps.some(({ lists }) => lists > 0)) return (object) => textsOf(valuesAt(object, steps));
  return (object) => {
    const [value] = valuesAt(object, steps);
    return value === undefined ? '' : goPrint(value);
  };
}

/** A key, and the number of list levels below it. */
interface Step {
  readonly key: string;
  readonly lists: number;
}

function stepOf(text: string): Step {
  let key = text;
  let lists = 0;
  for (; key.endsWith(eachElement); lists += 1) key = key.slice(0, -eachElement.length);
  return { key, lists };
}

/** The existing values at the end of a path; null counts as absent. */
function valuesAt(object: KubeObject, steps: readonly Step[]): JsonValue[] {
  let values: JsonValue[] = [object];
  for (const { key, lists } of steps) {
    values = present(values.map((value) => (isObject(value) ? own(value, key) : undefined)));
    for (let depth = 0; depth < lists; depth += 1)
      values = present(values.flatMap((value) => (Array.isArray(value) ? value : [])));
  }
  return values;
}

function present(values: readonly (JsonValue | undefined)[]): JsonValue[] {
  return values.filter((value) => value !== undefined && value !== null);
}

/** An empty string counts as absent. */
function textsOf(values: readonly JsonValue[]): string[] {
  const texts = values.map(goPrint).filter((text) => text !== '');
  return texts.length > 0 ? texts : [''];
}

import { controllerNames } from '../../controllers/index.ts';

/**
 * The controllers that `--controllers` switches off. The list is kube-controller-manager's: `*` is every controller,
 * `foo` is one more, `-foo` one less; what is not listed is off, and what is said of a controller by name counts.
 *
 * @example disabledControllers(['*', '-namespace']) // ['namespace']
 * @throws {RangeError} for a name that no controller has
 */
export function disabledControllers(list: readonly string[]): string[] {
  for (const word of list) {
    const name = word.replace(/^-/, '');
    if (word === '*' || controllerNames.includes(name)) continue;
    throw new RangeError(`there is no controller ${name}: they are ${controllerNames.join(', ')}`);
  }
  return controllerNames.filter((name) => !isEnabled(name, list));
}

/** The first word about a controller decides. Source: kubernetes, cmd/kube-controller-manager, IsControllerEnabled. */
function isEnabled(name: string, list: readonly string[]): boolean {
  const word = list.find((one) => one === name || one === `-${name}`);
  return word === undefined ? list.includes('*') : word === name;
}

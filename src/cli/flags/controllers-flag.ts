import { checkControllerNames, controllerNames, optionalControllers } from '../../controllers/index.ts';

/**
 * The controllers that `--controllers` switches off. The list is kube-controller-manager's: `*` is every controller that is on by
 * default, `foo` is one more, `-foo` one less; what is not listed is off, and what is said of a controller by name counts. `+foo` is
 * one more than the usual ones: a list of nothing else stands behind `*`.
 *
 * @example disabledControllers(['*', '-namespace']) // ['namespace']
 * @throws {RangeError} for a name that no controller has
 */
export function disabledControllers(list: readonly string[]): string[] {
  checkControllerNames(list.filter((word) => word !== '*').map((word) => word.replace(/^[-+]/, '')));
  const usual = list.length > 0 && list.every((word) => word.startsWith('+')) ? ['*'] : [];
  const words = [...usual, ...list.map((word) => word.replace(/^\+/, ''))];
  return controllerNames.filter((name) => !isEnabled(name, words));
}

/** The first word about a controller decides. Source: kubernetes, cmd/kube-controller-manager, IsControllerEnabled. */
function isEnabled(name: string, list: readonly string[]): boolean {
  const word = list.find((one) => one === name || one === `-${name}`);
  return word === undefined ? list.includes('*') && !optionalControllers.includes(name) : word === name;
}

import { checkControllerNames, controllerNames, optionalControllers } from '../../controllers/index.ts';

/**
 * Parses `--controllers`, with kube-controller-manager's syntax: `*` is every controller that is on by default, `foo`
 * adds one, `-foo` removes one. Controllers that are not listed are off, and a controller's own entry wins. `+foo`
 * adds one to the defaults: a list with only such entries implies `*`.
 *
 * @example disabledControllers(['*', '-namespace']) // ['namespace']
 * @throws {RangeError} for an unknown controller
 */
export function disabledControllers(list: readonly string[]): string[] {
  checkControllerNames(list.filter((word) => word !== '*').map((word) => word.replace(/^[-+]/, '')));
  const usual = list.length > 0 && list.every((word) => word.startsWith('+')) ? ['*'] : [];
  const words = [...usual, ...list.map((word) => word.replace(/^\+/, ''))];
  return controllerNames.filter((name) => !isEnabled(name, words));
}

/** The first entry for a controller decides. Source: kubernetes, cmd/kube-controller-manager, IsControllerEnabled. */
function isEnabled(name: string, list: readonly string[]): boolean {
  const word = list.find((one) => one === name || one === `-${name}`);
  return word === undefined ? list.includes('*') && !optionalControllers.includes(name) : word === name;
}

import { type AuthorizationMode, authorizationModes } from '../../server.ts';

/** What `--authorization-mode` may name. */
export type AuthorizerName = AuthorizationMode | 'Webhook';

/**
 * The modes of `--authorization-mode`, which may be given several times. Node is upstream's for kubelets, of which there are
 * none: it is taken and means nothing.
 *
 * @throws {Error} for a mode that does not exist
 */
export function authorizationModesFlag(
  text: string,
  previous: readonly AuthorizerName[] = [],
): AuthorizerName[] {
  const named = text.split(',').filter((word) => word !== '' && word !== 'Node');
  return [...previous, ...named.map(modeOf)];
}

function modeOf(name: string): AuthorizerName {
  if (name === 'Webhook') return name;
  const mode = authorizationModes.find((one) => one === name);
  if (mode !== undefined) return mode;
  throw new Error(
    `"${name}" is no authorization mode: they are ${[...authorizationModes, 'Webhook'].join(', ')}`,
  );
}

/** Upstream lets nobody in without credentials where everything is allowed. */
export function anonymousByDefault(modes: readonly unknown[]): boolean {
  return !modes.includes('AlwaysAllow');
}

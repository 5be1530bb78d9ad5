import { type AuthorizationMode, authorizationModes } from '../../server.ts';

/** The modes of `--authorization-mode`. */
export type AuthorizerName = AuthorizationMode | 'Webhook';

/**
 * Parses `--authorization-mode`, which may be repeated. Node is upstream's authorizer for kubelets, which Ilk does
 * not have: it is accepted without effect.
 *
 * @throws {Error} for an unknown mode
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

/** Upstream refuses anonymous requests where everything is allowed. */
export function anonymousByDefault(modes: readonly unknown[]): boolean {
  return !modes.includes('AlwaysAllow');
}

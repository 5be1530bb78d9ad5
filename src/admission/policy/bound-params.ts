import type { KubeObject } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { matchResources } from '../matching/match-resources.ts';
import type { FindNamespace } from '../matching/selectors.ts';
import type { Binding } from './live-policies.ts';
import { collectParams, type ParamKind, type ParamSource } from './params.ts';

/** Where the objects are that the evaluation of a policy needs besides the write. */
export interface ObjectSources {
  readonly findNamespace: FindNamespace;
  readonly params: ParamSource;
}

/**
 * The parameters that a binding evaluates its policy with; undefined where it does not match the write.
 *
 * @throws {ConfigurationError | StatusError} where that cannot be told
 */
export async function boundParams(
  paramKind: ParamKind | undefined,
  { match, paramRef: ref }: Binding,
  { attributes, sources }: { readonly attributes: AdmissionAttributes; readonly sources: ObjectSources },
): Promise<readonly (KubeObject | undefined)[] | undefined> {
  const { findNamespace, params } = sources;
  const isMatch = match === undefined || (await matchResources(match, attributes, findNamespace));
  if (isMatch === undefined) return undefined;
  const { namespace, minRevision } = attributes;
  return collectParams(params, { kind: paramKind, ref, namespace, minRevision });
}

/** The name of the namespace that expressions see; empty for what is cluster-scoped, and for a Namespace itself. */
export function namespaceSeen({ namespace, kind }: AdmissionAttributes): string {
  return kind.kind === 'Namespace' && kind.group === '' ? '' : namespace;
}

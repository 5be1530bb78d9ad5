import type { KubeObject } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { matchResources } from '../matching/match-resources.ts';
import type { FindNamespace } from '../matching/selectors.ts';
import type { Binding } from './live-policies.ts';
import { collectParams, type FoundParams, type ParamKind, type ParamSource } from './params.ts';

/** Where the evaluation of a policy reads other objects. */
export interface ObjectSources {
  readonly findNamespace: FindNamespace;
  readonly params: ParamSource;
}

/**
 * The parameters with which a binding evaluates its policy; undefined if it does not match the write.
 *
 * @throws {ConfigurationError | StatusError} if matching or the lookup fails
 */
export function boundParams(
  paramKind: ParamKind | undefined,
  { match, paramRef: ref }: Binding,
  { attributes, found, sources }: BindingParts,
): Params | Promise<Params> {
  const { namespace, minRevision } = attributes;
  const collect = () => collectParams(found, { kind: paramKind, ref, namespace, minRevision });
  if (match === undefined) return collect();
  const matching = matchResources(match, attributes, sources.findNamespace);
  if (matching instanceof Promise) return matching.then((isMatch) => isMatch && collect());
  return matching && collect();
}

type Params = readonly (KubeObject | undefined)[] | undefined;

interface BindingParts {
  readonly attributes: AdmissionAttributes;
  readonly sources: ObjectSources;
  /** The results of earlier lookups for this write. */
  readonly found: FoundParams;
}

/** The name of the namespace that expressions see; empty for what is cluster-scoped, and for a Namespace itself. */
export function namespaceSeen({ namespace, kind }: AdmissionAttributes): string {
  return kind.kind === 'Namespace' && kind.group === '' ? '' : namespace;
}

import { type Condition, conditionsOf, type Json, type KubeObject, member } from '../api/kube-object.ts';

/** One version of a CRD, without its schema. */
export interface DefinedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
}

/** The parts of a CRD that the list of kinds shows. */
export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly versions: readonly DefinedVersion[];
  /** Versions that stored objects may have. */
  readonly storedVersions: readonly string[];
  readonly conditions: readonly Condition[];
  readonly terminating: boolean;
}

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '');
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Keeps only the displayed parts: schemas are large. */
export function definitionOf({ metadata, spec, status }: KubeObject): Definition {
  const names = member(spec, 'names');
  return {
    name: metadata.name,
    group: textOf(member(spec, 'group')),
    plural: textOf(member(names, 'plural')),
    kind: textOf(member(names, 'kind')),
    versions: listOf(member(spec, 'versions')).map((version) => ({
      name: textOf(member(version, 'name')),
      served: member(version, 'served') === true,
      storage: member(version, 'storage') === true,
      deprecated: member(version, 'deprecated') === true,
    })),
    storedVersions: listOf(member(status, 'storedVersions')).map(textOf),
    conditions: conditionsOf(status),
    terminating: metadata.deletionTimestamp !== undefined,
  };
}

/** The conditions that indicate a problem, as text. */
export function troubleOf({ conditions, terminating }: Definition): readonly string[] {
  const trouble = terminating ? ['is being deleted'] : [];
  for (const { type, status, reason, message } of conditions) {
    const bad =
      type === 'Terminating' || type === 'NonStructuralSchema' ? status === 'True' : status !== 'True';
    const known = ['Established', 'NamesAccepted', 'Terminating', 'NonStructuralSchema'].includes(type);
    if (known && bad) trouble.push(`${type} is ${status}: ${message ?? reason ?? ''}`);
  }
  return trouble;
}

import { compareBytes, goQuote, type StatusCause, StatusError } from '../../meta/index.ts';
import { type Path, pathDisplay } from '../field-set/path-element.ts';
import { type ManagerIdentity, managerKey } from './manager-identity.ts';

/** A field that an apply would have taken from another manager. */
interface ApplyConflict {
  readonly owner: ManagerIdentity;
  /** The time of the owner's write, RFC 3339; printed only for updates and only if present. */
  readonly time?: string | undefined;
  readonly path: Path;
}

/** 409: an apply without force would change fields that other managers own. Nothing was changed. */
export class ApplyConflictError extends StatusError {
  readonly conflicts: readonly ApplyConflict[];

  constructor(conflicts: readonly ApplyConflict[]) {
    const { message, causes } = describeConflicts(conflicts);
    super({ code: 409, reason: 'Conflict', message, details: { causes } });
    this.conflicts = conflicts;
  }
}

/** `"m" with subresource "status" using g/v at 2001-02-03T04:05:06Z`; for an applier only name and subresource. */
function ownerText({ owner, time }: ApplyConflict): string {
  const subresource = owner.subresource === '' ? '' : ` with subresource ${goQuote(owner.subresource)}`;
  const version = owner.operation === 'Update' ? ` using ${owner.apiVersion}` : '';
  const at = owner.operation === 'Update' && time !== undefined ? ` at ${time}` : '';
  return `${goQuote(owner.manager)}${subresource}${version}${at}`;
}

/**
 * The message and the causes of a 409. Managers are ordered by identity; the paths of each keep their order.
 *
 * `Apply failed with 1 conflict: conflict with "m" using g/v: .spec.x`
 */
export function describeConflicts(conflicts: readonly ApplyConflict[]): {
  readonly message: string;
  readonly causes: readonly StatusCause[];
} {
  const ordered = byOwner(conflicts);
  const causes = ordered.map((conflict) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(conflict)}`,
    field: pathDisplay(conflict.path),
  }));
  const [first] = ordered;
  if (ordered.length === 1 && first !== undefined) {
    const text = `conflict with ${ownerText(first)}: ${pathDisplay(first.path)}`;
    return { message: `Apply failed with 1 conflict: ${text}`, causes };
  }
  return { message: `Apply failed with ${ordered.length} conflicts: ${groupText(ordered)}`, causes };
}

function groupText(ordered: readonly ApplyConflict[]): string {
  const lines: string[] = [];
  let group: string | undefined;
  for (const conflict of ordered) {
    const owner = ownerText(conflict);
    if (owner !== group) lines.push(`conflicts with ${owner}:`);
    group = owner;
    lines.push(`- ${pathDisplay(conflict.path)}`);
  }
  return lines.join('\n');
}

/** Groups conflicts by owner, ordered by the owners' identities. */
function byOwner(conflicts: readonly ApplyConflict[]): ApplyConflict[] {
  const groups = new Map<string, ApplyConflict[]>();
  for (const conflict of conflicts) {
    const key = managerKey(conflict.owner);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [conflict]);
    else group.push(conflict);
  }
  return [...groups].sort(([a], [b]) => compareBytes(a, b)).flatMap(([, group]) => group);
}

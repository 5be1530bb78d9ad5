import { type KubeObject, nameOf } from '../meta/index.ts';
import { changeLine } from './change-line.ts';
import { breaking, type Change, safe } from './change.ts';
import { compareCrds } from './compare-crds.ts';

/** A change and its CRD. */
export interface CrdChange extends Change {
  readonly crd: string;
  /** The line of the field or its nearest existing parent; for a removed CRD, the old line. */
  readonly file: string;
  readonly line: number;
}

/** A CRD and its source location. */
interface PlacedCrd {
  readonly object: KubeObject;
  readonly file: string;
  /** Its first line. */
  readonly line: number;
  /** The line of a field, by its path of keys and indexes. */
  readonly lineAt?: (path: readonly string[]) => number;
}

/** All changes between two sets of CRDs, matched by name; with one CRD on each side, a new name is a rename. */
export function diffCrds(before: readonly PlacedCrd[], after: readonly PlacedCrd[]): CrdChange[] {
  const [only, sole] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && only !== undefined && sole !== undefined) {
    return changesOf(sole, compareCrds(only.object, sole.object));
  }
  const find = (crds: readonly PlacedCrd[], like: PlacedCrd) =>
    crds.find(({ object }) => nameOf(object) === nameOf(like.object));
  return [
    ...before.flatMap((crd) => {
      const present = find(after, crd);
      return present === undefined
        ? changesOf(crd, [{ ...whole, ...breaking('CustomResourceDefinition is gone') }])
        : changesOf(present, compareCrds(crd.object, present.object));
    }),
    ...after
      .filter((crd) => find(before, crd) === undefined)
      .flatMap((crd) => changesOf(crd, [{ ...whole, ...safe('CustomResourceDefinition is new') }])),
  ];
}

const whole = { version: '', path: '', rule: 'versions' } as const;

function changesOf(crd: PlacedCrd, changes: readonly Change[]): CrdChange[] {
  const { object, file } = crd;
  return changes.map((change) => ({ crd: nameOf(object), ...change, file, line: changeLine(crd, change) }));
}

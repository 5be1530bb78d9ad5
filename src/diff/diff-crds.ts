import { type KubeObject, nameOf } from '../meta/index.ts';
import { breaking, type Change, safe } from './change.ts';
import { compareCrds } from './compare-crds.ts';

/** A change and its CRD. */
export interface CrdChange extends Change {
  readonly crd: string;
  /** The location of the CRD, or the old location of a removed CRD. */
  readonly file: string;
  readonly line: number;
}

/** A CRD, and where it was read. */
export interface PlacedCrd {
  readonly object: KubeObject;
  readonly file: string;
  readonly line: number;
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

function changesOf({ object, file, line }: PlacedCrd, changes: readonly Change[]): CrdChange[] {
  return changes.map((change) => ({ crd: nameOf(object), ...change, file, line }));
}

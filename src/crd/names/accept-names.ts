import { equal, goQuote, type JsonObject, type KubeObject } from '../../meta/index.ts';
import { type CrdCondition, conditionFrom, findCondition } from '../conditions.ts';
import { namesOf, specOf, statusOf, stringsOf, textOf } from '../spec-view.ts';

/** The result of the name decision for a CRD. */
interface NamesDecision {
  /** For `status.acceptedNames`: the names it had, and the requested names that were granted. */
  readonly acceptedNames: JsonObject;
  readonly namesAccepted: CrdCondition;
  /** The current condition, or its new value. Never `True`: the establishing controller sets that. */
  readonly established: CrdCondition;
}

/** The reason why a name is not granted. */
interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Grants the requested names of a CRD into a copy of its accepted names. */
class Claim {
  readonly #asked: JsonObject;
  readonly #had: JsonObject;
  readonly granted: JsonObject;
  /** The last conflict is reported. */
  conflict: Conflict | undefined;

  constructor(crd: KubeObject) {
    this.#asked = namesOf(specOf(crd), 'names');
    this.#had = namesOf(statusOf(crd), 'acceptedNames');
    this.granted = { ...this.#had };
  }

  one(field: string, reason: string, taken: ReadonlySet<string>): void {
    const name = textOf(this.#asked, field);
    if (name !== textOf(this.#had, field) && taken.has(name)) {
      this.conflict = { reason, message: inUse(name) };
    } else if (this.#asked[field] === undefined) delete this.granted[field];
    else this.granted[field] = name;
  }

  /** Short names are granted all or none. */
  shortNames(taken: ReadonlySet<string>): void {
    const asked = stringsOf(this.#asked, 'shortNames');
    const had = new Set(stringsOf(this.#had, 'shortNames'));
    const conflicts = new Set(asked.filter((name) => !had.has(name) && taken.has(name)).map(inUse));
    if (conflicts.size > 0) {
      const texts = [...conflicts];
      const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
      this.conflict = { reason: 'ShortNamesConflict', message };
    } else this.#replace('shortNames', asked);
  }

  /** Categories may be shared. */
  categories(): void {
    this.#replace('categories', stringsOf(this.#asked, 'categories'));
  }

  #replace(field: string, names: string[]): void {
    if (names.length === 0) delete this.granted[field];
    else this.granted[field] = names;
  }
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

/**
 * Decides which of its requested names a CRD gets. A name that another CRD of the group has is refused; every other
 * name is granted. The first CRD to get a name keeps it. `others` may contain CRDs of other groups, and the CRD
 * itself.
 * Source: the naming controller of apiextensions-apiserver.
 */
export function acceptNames(crd: KubeObject, others: readonly KubeObject[]): NamesDecision {
  const { resources, kinds } = takenNames(crd, others);
  const claim = new Claim(crd);
  claim.one('plural', 'PluralConflict', resources);
  claim.one('singular', 'SingularConflict', resources);
  claim.shortNames(resources);
  claim.one('kind', 'KindConflict', kinds);
  claim.one('listKind', 'ListKindConflict', kinds);
  claim.categories();
  const namesAccepted: CrdCondition =
    claim.conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...claim.conflict };
  return {
    acceptedNames: claim.granted,
    namesAccepted,
    established: establishedAfter(crd, claim.conflict === undefined),
  };
}

function takenNames(crd: KubeObject, others: readonly KubeObject[]) {
  const group = textOf(specOf(crd), 'group');
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of [...others, crd]) {
    if (textOf(specOf(other), 'group') !== group) continue;
    const names = namesOf(statusOf(other), 'acceptedNames');
    for (const name of [
      textOf(names, 'plural'),
      textOf(names, 'singular'),
      ...stringsOf(names, 'shortNames'),
    ]) {
      resources.add(name);
    }
    for (const name of [textOf(names, 'kind'), textOf(names, 'listKind')]) kinds.add(name);
  }
  return { resources, kinds };
}

/** True if the CRD has all the names that it requests, so there is nothing to decide. */
export function hasItsNames(crd: KubeObject): boolean {
  return equal(namesOf(specOf(crd), 'names'), namesOf(statusOf(crd), 'acceptedNames'));
}

function establishedAfter(crd: KubeObject, accepted: boolean): CrdCondition {
  const before = findCondition(crd, 'Established');
  if (accepted && before?.['status'] !== 'True') {
    const message = 'the initial names have been accepted';
    return { type: 'Established', status: 'False', reason: 'Installing', message };
  }
  if (before !== undefined) return conditionFrom('Established', before);
  const message = 'not all names are accepted';
  return { type: 'Established', status: 'False', reason: 'NotAccepted', message };
}

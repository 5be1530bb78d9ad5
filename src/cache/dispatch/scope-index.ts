import type { Change } from '../entries/change.ts';
import type { DispatchIndex, Interest } from './dispatch-index.ts';

/** Finds watchers by key, by folder (namespace), and those of everything: the index that accepts every watcher. */
export class ScopeIndex<M> implements DispatchIndex<M> {
  readonly #all = new Set<Interest<M>>();
  readonly #byKey = new Map<string, Set<Interest<M>>>();
  readonly #byPrefix = new Map<string, Set<Interest<M>>>();

  add(interest: Interest<M>): boolean {
    const { scope } = interest;
    if (scope.kind === 'all') this.#all.add(interest);
    else if (scope.kind === 'key') addTo(this.#byKey, scope.key, interest);
    else addTo(this.#byPrefix, scope.prefix, interest);
    return true;
  }

  delete(interest: Interest<M>): void {
    const { scope } = interest;
    if (scope.kind === 'all') this.#all.delete(interest);
    else if (scope.kind === 'key') deleteFrom(this.#byKey, scope.key, interest);
    else deleteFrom(this.#byPrefix, scope.prefix, interest);
  }

  dispatch(change: Change<M>): void {
    offerAll(this.#all, change);
    offerAll(this.#byKey.get(change.key), change);
    if (this.#byPrefix.size === 0) return;
    // A key is in as many folders as it has slashes; real keys have about six.
    for (let slash = change.key.indexOf('/'); slash >= 0; slash = change.key.indexOf('/', slash + 1)) {
      offerAll(this.#byPrefix.get(change.key.slice(0, slash + 1)), change);
    }
  }
}

function offerAll<M>(interests: Set<Interest<M>> | undefined, change: Change<M>): void {
  if (interests === undefined) return;
  for (const interest of interests) interest.offer(change);
}

function addTo<M>(map: Map<string, Set<Interest<M>>>, at: string, interest: Interest<M>): void {
  const interests = map.get(at);
  if (interests === undefined) map.set(at, new Set([interest]));
  else interests.add(interest);
}

function deleteFrom<M>(map: Map<string, Set<Interest<M>>>, at: string, interest: Interest<M>): void {
  const interests = map.get(at);
  interests?.delete(interest);
  if (interests?.size === 0) map.delete(at);
}

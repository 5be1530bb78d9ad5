import type { UserInfo } from '../../meta/index.ts';
import type { PolicyRule, RoleRef, Subject } from './policy-rule.ts';

/** A RoleBinding, or a ClusterRoleBinding where the namespace is empty. */
export interface RoleBinding {
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** A rule that a user has, and the binding that gives it. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly binding: RoleBinding;
  /** The first of the binding's subjects that the user is. */
  readonly subject: Subject;
}

/** Everything that a user may do in a namespace, and what could not be looked up. */
export interface Grants {
  readonly rules: readonly GrantedRule[];
  /** `clusterrole.rbac.authorization.k8s.io "x" not found`, for each binding to a role that is missing. */
  readonly errors: readonly string[];
}

/** A binding under one of its subjects, which stands at an index of its list. */
export interface Bound {
  /** No other binding and subject has had it. */
  readonly id: number;
  readonly binding: RoleBinding;
  readonly at: number;
}

/** Bindings of a namespace by subject. */
type BySubject = Map<string, Map<RoleBinding, Bound>>;

/**
 * Roles and bindings as they are now, indexed by subject: to find the rules of a user costs what the user's own bindings
 * cost, however many others there are. Whoever feeds it says what was put and dropped.
 */
export class AccessRules {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, RoleBinding>();
  /** By namespace; ClusterRoleBindings under the empty one. */
  readonly #bySubject = new Map<string, BySubject>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #lastId = 0;

  /** Raised with every change: what was computed from an older version is void. */
  get version(): number {
    return this.#version;
  }

  /** Puts a Role, or a ClusterRole where the namespace is empty. */
  putRole(namespace: string, name: string, rules: readonly PolicyRule[]): void {
    this.#roles.set(keyOf(namespace, name), rules);
    this.#changed();
  }

  dropRole(namespace: string, name: string): void {
    if (this.#roles.delete(keyOf(namespace, name))) this.#changed();
  }

  putBinding(binding: RoleBinding): void {
    const key = keyOf(binding.namespace, binding.name);
    this.#unbind(key);
    this.#bindings.set(key, binding);
    const bySubject = this.#bySubject.get(binding.namespace) ?? new Map();
    this.#bySubject.set(binding.namespace, bySubject);
    for (const [at, subject] of binding.subjects.entries()) {
      this.#lastId += 1;
      addTo(bySubject, { id: this.#lastId, binding, at }, subject);
    }
    this.#changed();
  }

  dropBinding(namespace: string, name: string): void {
    if (this.#unbind(keyOf(namespace, name))) this.#changed();
  }

  /** The rules of a role. Undefined where there is no such role. */
  roleRules(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(keyOf(namespace, name));
  }

  /**
   * The rules behind a reference of a binding in a namespace, or why there are none.
   * Source: kubernetes, pkg/registry/rbac/validation/rule.go, GetRoleReferenceRules.
   */
  referencedRules(
    { kind, name }: RoleRef,
    namespace: string,
  ): readonly PolicyRule[] | { readonly missing: string } {
    if (kind !== 'Role' && kind !== 'ClusterRole') {
      return { missing: `unsupported role reference kind: ${JSON.stringify(kind)}` };
    }
    const rules = this.roleRules(kind === 'Role' ? namespace : '', name);
    return (
      rules ?? {
        missing: `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`,
      }
    );
  }

  /** What a user is given by ClusterRoleBindings and, where a namespace is named, by its RoleBindings. */
  grantsOf(user: UserInfo, namespace: string): Grants {
    return this.grantsBy(this.boundTo(user, namespace));
  }

  /** What bindings give, whoever is bound by them. */
  grantsBy(bound: readonly Bound[]): Grants {
    const rules: GrantedRule[] = [];
    const errors: string[] = [];
    for (const { binding, at } of bound) {
      const found = this.referencedRules(binding.roleRef, binding.namespace);
      const subject = binding.subjects[at];
      if ('missing' in found) errors.push(found.missing);
      else if (subject !== undefined) for (const rule of found) rules.push({ rule, binding, subject });
    }
    return { rules, errors };
  }

  /** The bindings of a user, in the order of upstream's visits: those of the cluster first. Among them, by name. */
  boundTo(user: UserInfo, namespace: string): readonly Bound[] {
    const ofCluster = this.#boundIn('', user);
    if (namespace === '') return ofCluster;
    const ofNamespace = this.#boundIn(namespace, user);
    if (ofCluster.length === 0) return ofNamespace;
    return ofNamespace.length === 0 ? ofCluster : [...ofCluster, ...ofNamespace];
  }

  #boundIn(namespace: string, { name, groups }: UserInfo): readonly Bound[] {
    const bySubject = this.#bySubject.get(namespace);
    if (bySubject === undefined) return nothing;
    const lists: Map<RoleBinding, Bound>[] = [];
    const ofUser = bySubject.get(userKey(name));
    if (ofUser !== undefined) lists.push(ofUser);
    for (const group of groups) {
      const ofGroup = bySubject.get(groupKey(group));
      if (ofGroup !== undefined) lists.push(ofGroup);
    }
    const [only, ...others] = lists;
    if (only === undefined) return nothing;
    const found = others.length > 0 ? firstOfEach(lists) : [...only.values()];
    return found.length > 1 ? found.sort((a, b) => (a.binding.name < b.binding.name ? -1 : 1)) : found;
  }

  /** Calls back after each change. Gives what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #unbind(key: string): boolean {
    const binding = this.#bindings.get(key);
    if (binding === undefined) return false;
    this.#bindings.delete(key);
    const bySubject = this.#bySubject.get(binding.namespace);
    for (const subject of binding.subjects) {
      const id = subjectKey(subject, binding.namespace);
      const bound = id === undefined ? undefined : bySubject?.get(id);
      bound?.delete(binding);
      if (id !== undefined && bound?.size === 0) bySubject?.delete(id);
    }
    if (bySubject?.size === 0) this.#bySubject.delete(binding.namespace);
    return true;
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

const nothing: readonly Bound[] = Object.freeze([]);

/** Bindings that several subjects of a user are in stand under the first of these subjects. */
function firstOfEach(lists: readonly Map<RoleBinding, Bound>[]): Bound[] {
  const found = new Map<RoleBinding, Bound>();
  for (const list of lists) {
    for (const [binding, bound] of list) {
      const known = found.get(binding);
      if (known === undefined || bound.at < known.at) found.set(binding, bound);
    }
  }
  return [...found.values()];
}

/** No name and no namespace has a slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function addTo(bySubject: BySubject, bound: Bound, subject: Subject): void {
  const id = subjectKey(subject, bound.binding.namespace);
  if (id === undefined) return;
  const known = bySubject.get(id) ?? new Map<RoleBinding, Bound>();
  if (!known.has(bound.binding)) known.set(bound.binding, bound);
  bySubject.set(id, known);
}

const userKey = (name: string) => `user/${name}`;
const groupKey = (name: string) => `group/${name}`;

/** Under what a subject is found; undefined for one that nobody can be. */
function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === 'User') return userKey(name);
  if (kind === 'Group') return groupKey(name);
  const home = namespace === '' ? bindingNamespace : namespace;
  if (kind !== 'ServiceAccount' || home === '') return undefined;
  return userKey(`system:serviceaccount:${home}:${name}`);
}

import type { UserInfo } from '../../meta/index.ts';
import type { PolicyRule, RoleRef, Subject } from './policy-rule.ts';

/** A RoleBinding, or a ClusterRoleBinding if the namespace is empty. */
export interface RoleBinding {
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** A rule of a user, and the binding that grants it. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly binding: RoleBinding;
  /** The first subject of the binding that matches the user. */
  readonly subject: Subject;
}

/** All rules of a user in a namespace, and the lookup errors. */
export interface Grants {
  readonly rules: readonly GrantedRule[];
  /** `clusterrole.rbac.authorization.k8s.io "x" not found`, for each binding to a missing role. */
  readonly errors: readonly string[];
}

/** A binding and one of its subjects, with the subject's index. */
export interface Bound {
  /** Unique for each pair of binding and subject. */
  readonly id: number;
  readonly binding: RoleBinding;
  readonly at: number;
}

/** Bindings of a namespace by subject. */
type BySubject = Map<string, Map<RoleBinding, Bound>>;

/**
 * The current roles and bindings, indexed by subject: finding the rules of a user takes time proportional to the user's
 * own bindings. The caller reports puts and deletes.
 */
export class AccessRules {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, RoleBinding>();
  /** By namespace; ClusterRoleBindings under the empty one. */
  readonly #bySubject = new Map<string, BySubject>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #lastId = 0;

  /** Incremented by every change; results of an older version are invalid. */
  get version(): number {
    return this.#version;
  }

  /** Puts a Role, or a ClusterRole if the namespace is empty. */
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

  /** The rules of a role; undefined if the role does not exist. */
  roleRules(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(keyOf(namespace, name));
  }

  /**
   * The rules of a binding's roleRef in a namespace, or why there are none.
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

  /** The rules that ClusterRoleBindings and, if a namespace is given, its RoleBindings grant a user. */
  grantsOf(user: UserInfo, namespace: string): Grants {
    return this.grantsBy(this.boundTo(user, namespace));
  }

  /** The rules that bindings grant. */
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

  /** The bindings of a user in upstream's order: ClusterRoleBindings first, each group by name. */
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

  /** Calls back after each change. Returns the unsubscribe function. */
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

/** A binding with several subjects of a user is listed under the first of them. */
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

/** Names and namespaces contain no slash. */
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

/** The index key of a subject; undefined for a subject that matches no user. */
function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === 'User') return userKey(name);
  if (kind === 'Group') return groupKey(name);
  const home = namespace === '' ? bindingNamespace : namespace;
  if (kind !== 'ServiceAccount' || home === '') return undefined;
  return userKey(`system:serviceaccount:${home}:${name}`);
}

import {
  type AccessRules,
  type Authorizer,
  denialText,
  escalationText,
  fullAuthority,
  mastersGroup,
  roleRefOf,
  rulesOf,
  type RulesSource,
} from '../auth/index.ts';
import {
  equal,
  forbiddenError,
  type KubeObject,
  metadataOf,
  nameOf,
  notFoundError,
  ownList,
  ownObject,
  type UserInfo,
} from '../meta/index.ts';
import type { CheckedWrite, CreateByChange, GrantCheck } from '../registry/index.ts';
import { rbacGroup } from './access-resources.ts';

const roleResources: ReadonlySet<string> = new Set(['roles', 'clusterroles']);
const bindingResources: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings']);

/**
 * Refuses writes of roles and bindings that grant more than their author has, unless the author may `escalate` the
 * role, or `bind` it. Source: kubernetes, pkg/registry/rbac/{clusterrole,role,rolebinding}/policybased,
 * escalation_check.go.
 */
export class EscalationCheck implements GrantCheck {
  readonly #source: RulesSource;
  readonly #authorizer: Authorizer;

  constructor(source: RulesSource, authorizer: Authorizer) {
    this.#source = source;
    this.#authorizer = authorizer;
  }

  /** @throws {StatusError} 403, and 404 for a binding to a role that is missing */
  check(write: CheckedWrite): Promise<void> | undefined {
    const { group, resource } = write.resource;
    if (group !== rbacGroup || write.user.groups.includes(mastersGroup)) return undefined;
    if (roleResources.has(resource)) return this.#checkRole(write);
    return bindingResources.has(resource) ? this.#checkBinding(write) : undefined;
  }

  async checkCreate({ resource, version, namespace, name, user }: CreateByChange): Promise<void> {
    const { group, resource: plural } = resource;
    const asked = { group, version, resource: plural, subresource: '', namespace, name };
    const attributes = { user, verb: 'create', path: '', resource: asked };
    const { verdict, reason } = await this.#authorizer.authorize(attributes);
    if (verdict !== 'allow') throw forbiddenError(resource, name, denialText(attributes, reason));
  }

  async #checkRole(write: CheckedWrite): Promise<void> {
    const { object, oldObject, user, namespace } = write;
    const { resource } = write.resource;
    const asked = { verb: 'escalate', resource, name: write.requestName };
    if (await this.#mayAlso(asked, write)) return;
    if (oldObject !== undefined && changesOnlyOwners(object, oldObject)) return;
    const rules = await this.#loaded();
    const text = escalationText(rules, rulesOf(object), { user, namespace });
    if (text !== undefined) throw forbiddenError(write.resource, nameOf(object), text);
    if (!aggregates(object) && !(oldObject !== undefined && aggregates(oldObject))) return;
    if (escalationText(rules, fullAuthority, { user, namespace: '' }) !== undefined) {
      const needed = 'must have cluster-admin privileges to use the aggregationRule';
      throw forbiddenError(write.resource, nameOf(object), needed);
    }
  }

  async #checkBinding(write: CheckedWrite): Promise<void> {
    const { object, oldObject, user, namespace } = write;
    if (oldObject !== undefined && changesOnlyOwners(object, oldObject)) return;
    const ref = roleRefOf(object);
    const resource = ref.kind === 'Role' ? 'roles' : 'clusterroles';
    if (await this.#mayAlso({ verb: 'bind', resource, name: ref.name }, write)) return;
    const rules = await this.#loaded();
    const bound = rules.referencedRules(ref, namespace);
    if ('missing' in bound) throw notFoundError({ group: rbacGroup, resource }, ref.name);
    const text = escalationText(rules, bound, { user, namespace });
    if (text !== undefined) throw forbiddenError(write.resource, nameOf(object), text);
  }

  async #mayAlso(
    { verb, resource, name }: { verb: string; resource: string; name: string },
    { user, namespace }: { readonly user: UserInfo; readonly namespace: string },
  ): Promise<boolean> {
    const attributes = { group: rbacGroup, version: '*', resource, subresource: '', namespace, name };
    const { verdict } = await this.#authorizer.authorize({ user, verb, path: '', resource: attributes });
    return verdict === 'allow';
  }

  async #loaded(): Promise<AccessRules> {
    await this.#source.loading();
    return this.#source.rules;
  }
}

function aggregates(role: KubeObject): boolean {
  const selectors = ownList(ownObject(role, 'aggregationRule') ?? {}, 'clusterRoleSelectors');
  return selectors !== undefined && selectors.length > 0;
}

/**
 * The fields that the garbage collector changes to delete an object. Source: kubernetes,
 * pkg/registry/rbac/helpers.go.
 */
function changesOnlyOwners(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences, finalizers, selfLink, managedFields } = metadataOf(old);
  const kept = { ownerReferences, finalizers, selfLink, managedFields };
  return equal(withFields(object, kept), withFields(old, kept));
}

function withFields(object: KubeObject, fields: Record<string, unknown>): KubeObject {
  const metadata = { ...metadataOf(object) };
  for (const name of Object.keys(fields)) delete metadata[name];
  return { ...object, metadata };
}

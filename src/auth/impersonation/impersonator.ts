import type { UserInfo } from '../../meta/index.ts';
import { parseServiceAccountUserName, serviceAccountGroups } from '../authentication/service-account-name.ts';
import type { AuthorizationAttributes } from '../authorization/authorization-attributes.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { mastersGroup } from '../authorization/masters.ts';
import { extraFault } from './extra-fault.ts';
import { constrainedModes, type ImpersonationMode, nodeOf } from './impersonation-mode.ts';
import { impersonatedUser, type WantedUser } from './wanted-user.ts';

/** The effective user of a request. */
export interface Impersonation {
  readonly user: UserInfo;
  /** The verb that allowed it, for audit; empty for plain `impersonate`. */
  readonly constraint: string;
}

/** A denied impersonation: the attributes that were not allowed. */
export interface ImpersonationRefusal {
  readonly asked: AuthorizationAttributes;
  readonly reason: string;
}

/** Up to this many values and groups are first checked with one wildcard request. */
const manyChecks = 4;
/** The last mode is remembered for this many users. */
const rememberedMax = 10_000;

const authentication = { group: 'authentication.k8s.io', version: 'v1' } as const;
const core = { group: '', version: 'v1' } as const;

/**
 * Decides whether users may act as others: first by the constrained modes, which allow it for some verbs on some
 * objects (KEP-5284), then by the verb `impersonate`. The mode that last allowed a user is tried first.
 * Source: apiserver, endpoints/filters/impersonation.
 */
export class Impersonator {
  readonly #authorizer: Authorizer;
  readonly #lastModes = new Map<string, number>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** The effective user of a request, or the first check that was denied. */
  async impersonate(
    wanted: WantedUser,
    attributes: AuthorizationAttributes,
  ): Promise<Impersonation | ImpersonationRefusal> {
    const { name } = attributes.user;
    let refusal: ImpersonationRefusal | undefined;
    for (const index of this.#order(name)) {
      const outcome = await this.#attempt(constrainedModes[index], wanted, attributes);
      if (outcome === undefined) continue;
      if ('user' in outcome) {
        this.#remember(name, index);
        return outcome;
      }
      refusal ??= outcome;
    }
    return refusal ?? { asked: attributes, reason: 'all impersonation modes failed' };
  }

  /** Indexes of the modes; the one after the last is the verb `impersonate`. */
  #order(name: string): number[] {
    const all = [...constrainedModes.keys(), constrainedModes.length];
    const last = this.#lastModes.get(name);
    return last === undefined ? all : [last, ...all.filter((index) => index !== last)];
  }

  #remember(name: string, index: number): void {
    this.#lastModes.delete(name);
    this.#lastModes.set(name, index);
    const [oldest] = this.#lastModes.keys();
    if (this.#lastModes.size > rememberedMax && oldest !== undefined) this.#lastModes.delete(oldest);
  }

  /** Undefined if the mode does not apply to this user. */
  async #attempt(
    mode: ImpersonationMode | undefined,
    wanted: WantedUser,
    attributes: AuthorizationAttributes,
  ): Promise<Impersonation | ImpersonationRefusal | undefined> {
    if (mode === undefined) return this.#become(wanted, new PlainQuestions(attributes.user));
    if (!mode.applies(wanted, attributes.user)) return undefined;
    const requestor = mode.name === 'associated-node' ? withoutNode(attributes.user) : attributes.user;
    const on = `impersonate-on:${mode.name}:${attributes.verb}`;
    const refusal = await this.#refusal({ ...withUser(attributes, requestor), verb: on });
    return refusal ?? this.#become(wanted, new ConstrainedQuestions(requestor, mode.name));
  }

  async #become(wanted: WantedUser, questions: Questions): Promise<Impersonation | ImpersonationRefusal> {
    for (const asked of questions.about(wanted)) {
      if ('reason' in asked) return asked;
      if (asked.instead !== undefined && (await this.#refusal(asked.instead)) === undefined) continue;
      for (const one of asked.all) {
        const refusal = await this.#refusal(one);
        if (refusal !== undefined) return refusal;
      }
    }
    return { user: impersonatedUser(wanted, questions.groupsOf(wanted)), constraint: questions.constraint };
  }

  async #refusal(asked: AuthorizationAttributes): Promise<ImpersonationRefusal | undefined> {
    const { verdict, reason, evaluationError } = await this.#authorizer.authorize(asked);
    if (verdict === 'allow') return undefined;
    const parts = [evaluationError ?? '', reason].filter((part) => part !== '');
    return { asked, reason: parts.join(': ') };
  }
}

/** Spreading a class instance would lose its getters. */
function withUser(attributes: AuthorizationAttributes, user: UserInfo): AuthorizationAttributes {
  const { verb, resource, path } = attributes;
  return { user, verb, resource, path };
}

/** Replaces the extra values (pod, node) by their keys, because the decision must hold for every node. */
function withoutNode(user: UserInfo): UserInfo {
  const keys = [...(user.extra?.keys() ?? [])].sort();
  return { ...user, extra: new Map([['authentication.kubernetes.io/associated-node-keys', keys]]) };
}

/** Checks that must all be allowed, or one that implies them all. */
interface Asked {
  readonly all: readonly AuthorizationAttributes[];
  readonly instead?: AuthorizationAttributes | undefined;
}

/** The checks for each part of a user. */
interface Questions {
  readonly constraint: string;
  about(wanted: WantedUser): Iterable<Asked | ImpersonationRefusal>;
  groupsOf(wanted: WantedUser): readonly string[];
}

interface Thing {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

function question(user: UserInfo, verb: string, thing: Thing): AuthorizationAttributes {
  return { user, verb, path: '', resource: { subresource: '', namespace: '', ...thing } };
}

/** The verb `impersonate`, as it has been since Kubernetes 1.3. */
class PlainQuestions implements Questions {
  readonly constraint = '';
  readonly #user: UserInfo;

  constructor(user: UserInfo) {
    this.#user = user;
  }

  *about(wanted: WantedUser): Generator<Asked> {
    const ask = (thing: Thing) => question(this.#user, 'impersonate', thing);
    yield { all: [ask(nameOfUser(wanted.name, core))] };
    if (wanted.uid !== '') yield { all: [ask({ ...authentication, resource: 'uids', name: wanted.uid })] };
    yield { all: wanted.groups.map((name) => ask({ ...core, resource: 'groups', name })) };
    yield { all: extraValues(wanted).map(ask) };
  }

  groupsOf({ name, groups }: WantedUser): readonly string[] {
    const account = parseServiceAccountUserName(name);
    return account !== undefined && groups.length === 0 ? serviceAccountGroups(account.namespace) : groups;
  }
}

/** The verb `impersonate:<mode>`, which never allows becoming an administrator. */
class ConstrainedQuestions implements Questions {
  readonly constraint: string;
  readonly #user: UserInfo;

  constructor(user: UserInfo, mode: string) {
    this.#user = user;
    this.constraint = `impersonate:${mode}`;
  }

  *about(wanted: WantedUser): Generator<Asked | ImpersonationRefusal> {
    const { uid, groups, extra } = wanted;
    const ask = (thing: Thing) => question(this.#user, this.constraint, thing);
    yield { all: [ask(this.#name(wanted.name))] };
    if (uid !== '') yield { all: [ask({ ...authentication, resource: 'uids', name: uid })] };
    const group = (name: string) => ask({ ...authentication, resource: 'groups', name });
    if (groups.includes('')) {
      yield { asked: group(''), reason: 'impersonating the empty string group is not allowed' };
    }
    if (groups.includes(mastersGroup)) {
      yield { asked: group(mastersGroup), reason: 'impersonating the system:masters group is not allowed' };
    }
    yield { all: groups.map(group), instead: groups.length >= manyChecks ? group('*') : undefined };
    const fault = extraFault(extra);
    const any = { ...authentication, resource: 'userextras' };
    if (fault !== undefined) yield { asked: ask({ ...any, name: '' }), reason: fault };
    const values = extraValues(wanted);
    const many = extra.size >= manyChecks || values.length >= manyChecks;
    yield { all: values.map(ask), instead: many ? ask({ ...any, subresource: '*', name: '*' }) : undefined };
  }

  groupsOf({ name, groups }: WantedUser): readonly string[] {
    if (nodeOf(name) !== undefined) return ['system:nodes'];
    const account = parseServiceAccountUserName(name);
    return account === undefined ? groups : serviceAccountGroups(account.namespace);
  }

  #name(userName: string): Thing {
    const node = nodeOf(userName);
    if (node === undefined) return nameOfUser(userName, authentication);
    const isAny = this.constraint === 'impersonate:associated-node';
    return { ...authentication, resource: 'nodes', name: isAny ? '*' : node };
  }
}

function nameOfUser(userName: string, group: { readonly group: string; readonly version: string }): Thing {
  const account = parseServiceAccountUserName(userName);
  return account === undefined
    ? { ...group, resource: 'users', name: userName }
    : { ...group, resource: 'serviceaccounts', ...account };
}

function extraValues({ extra }: WantedUser): Thing[] {
  return [...extra].flatMap(([key, values]) =>
    values.map((name) => ({ ...authentication, resource: 'userextras', subresource: key, name })),
  );
}

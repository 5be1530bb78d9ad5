import { boolType } from '../../cel/index.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownString,
  type UserInfo,
} from '../../meta/index.ts';
import {
  claimsValue,
  type IdentityExpression,
  type IdentityExpressions,
  textsOf,
  userValue,
} from './expressions.ts';
import type { IssuerConfig, Mapping } from './issuer-config.ts';

/** Why claims do not map to a user; the message is only logged and shown by TokenReviews. */
export class ClaimError extends Error {}

type CompiledMapping =
  | { readonly claim: string; readonly prefix: string }
  | { readonly expression: IdentityExpression };

interface CompiledRule {
  readonly expression: IdentityExpression;
  readonly message: string;
}

const credentialId = 'authentication.kubernetes.io/credential-id';

/** Maps claims to users. Source: apiserver, plugin/pkg/authenticator/token/oidc/oidc.go. */
export class ClaimMapper {
  readonly #username: CompiledMapping;
  readonly #groups: CompiledMapping | undefined;
  readonly #uid: CompiledMapping | undefined;
  readonly #extra: readonly { readonly key: string; readonly expression: IdentityExpression }[];
  readonly #required: readonly { readonly claim: string; readonly requiredValue: string }[];
  readonly #claimRules: readonly CompiledRule[];
  readonly #userRules: readonly CompiledRule[];

  /** @throws {ExpressionError} */
  constructor(config: IssuerConfig, expressions: IdentityExpressions) {
    const mapping = (one: Mapping): CompiledMapping =>
      'claim' in one ? one : { expression: expressions.compile(one.expression, 'claims') };
    const { groups, uid, extra, claimRules, userRules } = config;
    this.#username = mapping(config.username);
    this.#groups = groups && mapping(groups);
    this.#uid = uid && mapping(uid);
    this.#extra = extra.map(({ key, expression }) => ({
      key,
      expression: expressions.compile(expression, 'claims'),
    }));
    this.#required = claimRules.flatMap((rule) => ('claim' in rule ? [rule] : []));
    this.#claimRules = claimRules.flatMap((rule) =>
      'claim' in rule
        ? []
        : [{ ...rule, expression: expressions.compile(rule.expression, 'claims', [boolType]) }],
    );
    this.#userRules = userRules.map((rule) => ({
      ...rule,
      expression: expressions.compile(rule.expression, 'user', [boolType]),
    }));
  }

  /** The expressions that may read an email address, and those that may check that it is verified. */
  get emailExpressions(): { readonly reads: IdentityExpression[]; readonly checks: IdentityExpression[] } {
    const reads = 'expression' in this.#username ? [this.#username.expression] : [];
    const others = [...this.#claimRules, ...this.#extra].map(({ expression }) => expression);
    return { reads, checks: [...reads, ...others] };
  }

  /** @throws {ClaimError} if claims are missing, have the wrong type or are refused by a rule */
  userOf(claims: JsonObject): UserInfo {
    const value = claimsValue(claims);
    const uid = this.#uidOf(claims, value);
    const extra = this.#extraOf(claims, value);
    const user: UserInfo = Object.freeze({
      name: this.#nameOf(claims, value),
      ...(uid === '' ? {} : { uid }),
      groups: Object.freeze(this.#groupsOf(claims, value)),
      ...(extra.size === 0 ? {} : { extra }),
    });
    for (const { claim, requiredValue } of this.#required) checkRequired(claims, claim, requiredValue);
    checkRules('claim validation expression', this.#claimRules, value);
    checkRules('user info validation rule', this.#userRules, userValue(user));
    return user;
  }

  #nameOf(claims: JsonObject, value: unknown): string {
    if ('expression' in this.#username) {
      const { expression } = this.#username;
      const name = evaluated('username claim expression', () => expression.evaluate(value));
      if (typeof name !== 'string') {
        const text = 'username claim expression must return a string';
        throw new ClaimError(`oidc: error evaluating username claim expression: ${text}`);
      }
      if (name === '') throw new ClaimError('oidc: empty username via CEL expression is not allowed');
      return name;
    }
    const { claim, prefix } = this.#username;
    const name = own(claims, claim);
    if (typeof name !== 'string') {
      const why = name === undefined ? 'claim not present' : 'it is no string';
      throw new ClaimError(`oidc: parse username claims ${JSON.stringify(claim)}: ${why}`);
    }
    if (claim === 'email') checkEmail(claims);
    return `${prefix}${name}`;
  }

  #groupsOf(claims: JsonObject, value: unknown): string[] {
    const groups = this.#groups;
    if (groups === undefined) return [];
    if ('expression' in groups) {
      return evaluated('group claim expression', () => textsOf(groups.expression.evaluate(value)));
    }
    const found = own(claims, groups.claim);
    if (found === undefined) return [];
    return groupTexts(groups.claim, found).map((group) => `${groups.prefix}${group}`);
  }

  #uidOf(claims: JsonObject, value: unknown): string {
    const uid = this.#uid;
    if (uid === undefined) return '';
    if ('expression' in uid) {
      const found = evaluated('uid claim expression', () => uid.expression.evaluate(value));
      if (typeof found === 'string') return found;
      throw new ClaimError('oidc: error evaluating uid claim expression: it must return a string');
    }
    const found = own(claims, uid.claim);
    if (typeof found === 'string') return found;
    const why = found === undefined ? 'claim not present' : 'it is no string';
    throw new ClaimError(`oidc: parse uid claim ${JSON.stringify(uid.claim)}: ${why}`);
  }

  #extraOf(claims: JsonObject, value: unknown): ReadonlyMap<string, readonly string[]> {
    const extra = new Map<string, readonly string[]>();
    const id = ownString(claims, 'jti') ?? '';
    if (id !== '') extra.set(credentialId, [`JTI=${id}`]);
    for (const { key, expression } of this.#extra) {
      const values = evaluated(`extra claim expression: ${expression.source}`, () =>
        textsOf(expression.evaluate(value)),
      );
      if (values.length > 0) extra.set(key, values);
    }
    return extra;
  }
}

function evaluated<T>(what: string, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ClaimError(`oidc: error evaluating ${what}: ${why}`, { cause: error });
  }
}

/** If the claim is present, it must say that the address is verified. */
function checkEmail(claims: JsonObject): void {
  const verified = own(claims, 'email_verified');
  if (verified === undefined || verified === true) return;
  if (verified === false) throw new ClaimError('oidc: email not verified');
  throw new ClaimError("oidc: parse 'email_verified' claim: it is no boolean");
}

function groupTexts(claim: string, value: JsonValue): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string') return one;
    throw new ClaimError(
      `oidc: parse groups claim ${JSON.stringify(claim)}: want a string or a list of them`,
    );
  });
}

function checkRequired(claims: JsonObject, claim: string, wanted: string): void {
  const found = own(claims, claim);
  if (found === undefined) throw new ClaimError(`oidc: required claim ${claim} not present in ID token`);
  if (typeof found !== 'string') throw new ClaimError(`oidc: parse claim ${claim}: it is no string`);
  if (found === wanted) return;
  const text = `oidc: required claim ${claim} value does not match. Got = ${found}, want = ${wanted}`;
  throw new ClaimError(text);
}

function checkRules(what: string, rules: readonly CompiledRule[], value: unknown): void {
  for (const { expression, message } of rules) {
    evaluated(what, () => {
      if (expression.evaluate(value) !== true)
        throw new Error(`validation expression '${expression.source}' failed: ${message}`);
    });
  }
}

/** The claims of a payload verified by jose. */
export function claimsOf(payload: unknown): JsonObject {
  return isObject(payload as JsonValue) ? (payload as JsonObject) : {};
}

import type { AuthorizationAttributes } from '../auth/index.ts';
import { decodeYaml } from '../codec/index.ts';
import {
  aggregateText,
  checkDnsSubdomain,
  type FieldError,
  FieldPath,
  invalid,
  isObject,
  type JsonObject,
  notSupported,
  own,
  ownList,
  ownString,
  required,
  stringList,
} from '../meta/index.ts';

const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

/** What to write about a request. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

interface ResourceSelector {
  readonly group: string;
  readonly resources: readonly string[];
  readonly names: readonly string[];
}

interface PolicyRule extends AuditRule {
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly verbs: readonly string[];
  readonly namespaces: readonly string[];
  readonly resources: readonly ResourceSelector[];
  readonly paths: readonly string[];
}

/** The request attributes that a policy checks; without a user if authentication failed. */
export type AuditedAttributes = Omit<AuthorizationAttributes, 'user'> & {
  readonly user: AuthorizationAttributes['user'] | undefined;
};

/** An invalid policy file; the message is the reason, in one line. */
class AuditPolicyError extends Error {
  override readonly name = 'AuditPolicyError';
}

/**
 * Decides how much is written about each request: the first matching rule applies. Source: apiserver,
 * audit/policy/checker.go.
 */
export class AuditPolicy {
  readonly #rules: readonly PolicyRule[];
  readonly #otherwise: AuditRule;

  private constructor(rules: readonly PolicyRule[], otherwise: AuditRule) {
    this.#rules = rules;
    this.#otherwise = otherwise;
  }

  /** Parses a file of `audit.k8s.io/v1`. @throws {AuditPolicyError} with all errors of the file */
  static parse(text: string): AuditPolicy {
    const document = decoded(text);
    if (ownString(document, 'kind') !== 'Policy' || ownString(document, 'apiVersion') !== 'audit.k8s.io/v1')
      throw new AuditPolicyError('want kind Policy of audit.k8s.io/v1');
    const errors: FieldError[] = [];
    const found = (ownList(document, 'rules') ?? []).map((rule) => (isObject(rule) ? rule : {}));
    if (found.length === 0) throw new AuditPolicyError('loaded illegal policy with 0 rules');
    const stages = readStages(document, FieldPath.of('omitStages'), errors);
    const omitManagedFields = own(document, 'omitManagedFields') === true;
    const rules = found.map((rule, index) =>
      readRule(rule, FieldPath.of('rules').index(index), { errors, stages, omitManagedFields }),
    );
    if (errors.length > 0) throw new AuditPolicyError(aggregateText(errors));
    return new AuditPolicy(rules, { level: 'None', omitStages: new Set(stages), omitManagedFields });
  }

  ruleFor(attributes: AuditedAttributes): AuditRule {
    return this.#rules.find((rule) => matches(rule, attributes)) ?? this.#otherwise;
  }
}

function decoded(text: string): JsonObject {
  try {
    const { value } = decodeYaml(Buffer.from(text));
    return isObject(value) ? value : {};
  } catch (error) {
    throw new AuditPolicyError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

interface RuleReading {
  readonly errors: FieldError[];
  readonly stages: readonly string[];
  readonly omitManagedFields: boolean;
}

/** Source: apiserver, apis/audit/validation. */
function readRule(rule: JsonObject, path: FieldPath, reading: RuleReading): PolicyRule {
  const { errors, stages } = reading;
  const texts = (key: string) => readTexts(rule, key, path.child(key), errors);
  const [paths, namespaces] = [texts('nonResourceURLs'), texts('namespaces')];
  const resources = readResources(rule, path.child('resources'), errors);
  const level = readLevel(rule, path.child('level'), errors);
  for (const [index, url] of paths.entries())
    errors.push(...pathErrors(url, path.child('nonResourceURLs').index(index)));
  if (paths.length > 0 && resources.length + namespaces.length > 0) {
    const detail = 'rules cannot apply to both regular resources and non-resource URLs';
    errors.push(invalid(path.child('nonResourceURLs'), paths, detail));
  }
  const omitStages = new Set([...stages, ...readStages(rule, path.child('omitStages'), errors)]);
  const omitted = own(rule, 'omitManagedFields');
  return {
    level,
    omitStages,
    omitManagedFields: typeof omitted === 'boolean' ? omitted : reading.omitManagedFields,
    users: texts('users'),
    groups: texts('userGroups'),
    verbs: texts('verbs'),
    namespaces,
    resources,
    paths,
  };
}

/** Skipping other values would make a rule match more than it says: YAML reads a bare `yes` as true. */
function readTexts(object: JsonObject, key: string, path: FieldPath, errors: FieldError[]): string[] {
  const value = own(object, key) ?? [];
  const texts = stringList(value);
  if (!Array.isArray(value) || value.length !== texts.length)
    errors.push(invalid(path, value, 'want a list of strings'));
  return texts;
}

function readLevel(rule: JsonObject, path: FieldPath, errors: FieldError[]): AuditLevel {
  const text = ownString(rule, 'level') ?? '';
  const level = auditLevels.find((one) => one === text);
  if (level === undefined) errors.push(text === '' ? required(path) : notSupported(path, text, auditLevels));
  return level ?? 'None';
}

function readStages(object: JsonObject, path: FieldPath, errors: FieldError[]): string[] {
  const stages = stringList(own(object, 'omitStages'));
  for (const [index, stage] of stages.entries()) {
    if (auditStages.some((one) => one === stage)) continue;
    errors.push(invalid(path.index(index), stage, `allowed stages are ${auditStages.join(',')}`));
  }
  return stages;
}

function pathErrors(url: string, path: FieldPath): FieldError[] {
  if (url === '*') return [];
  const errors: FieldError[] = [];
  if (!url.startsWith('/'))
    errors.push(invalid(path, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes('*'))
    errors.push(invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule"));
  return errors;
}

function readResources(rule: JsonObject, path: FieldPath, errors: FieldError[]): ResourceSelector[] {
  return (ownList(rule, 'resources') ?? []).filter(isObject).map((selector) => {
    const group = ownString(selector, 'group') ?? '';
    const faults = group === '' || group === '*' ? [] : checkDnsSubdomain(group);
    if (faults.length > 0) errors.push(invalid(path.child('group'), group, faults.join(',')));
    const texts = (key: string) => readTexts(selector, key, path.child(key), errors);
    const [resources, names] = [texts('resources'), texts('resourceNames')];
    if (names.length > 0 && resources.length === 0) {
      const detail = 'using resourceNames requires at least one resource';
      errors.push(invalid(path.child('resourceNames'), names, detail));
    }
    return { group, resources, names };
  });
}

function matches(rule: PolicyRule, { user, verb, resource, path }: AuditedAttributes): boolean {
  if (rule.users.length > 0 && (user === undefined || !rule.users.includes(user.name))) return false;
  if (rule.groups.length > 0 && user?.groups.some((group) => rule.groups.includes(group)) !== true)
    return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0)
    return resource !== undefined && matchesResource(rule, resource);
  if (rule.paths.length === 0) return true;
  return resource === undefined && rule.paths.some((spec) => matchesPath(spec, path));
}

function matchesPath(spec: string, path: string): boolean {
  if (spec === '*' || spec === path) return true;
  return spec.endsWith('*') && path.startsWith(spec.replace(/\*+$/, ''));
}

type Resource = NonNullable<AuditedAttributes['resource']>;

function matchesResource({ namespaces, resources }: PolicyRule, asked: Resource): boolean {
  if (namespaces.length > 0 && !namespaces.includes(asked.namespace)) return false;
  return resources.length === 0 || resources.some((selector) => isSelected(selector, asked));
}

function isSelected({ group, resources, names }: ResourceSelector, asked: Resource): boolean {
  if (group !== '*' && group !== asked.group) return false;
  if (resources.length === 0) return true;
  if (names.length > 0 && !names.includes(asked.name)) return false;
  const { resource, subresource } = asked;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (spec) =>
      spec === '*' ||
      spec === combined ||
      (subresource !== '' && spec === `*/${subresource}`) ||
      spec === `${resource}/*`,
  );
}

import { mandatoryFlowSchemas } from '../../flowcontrol/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  nameOf,
  notSupported,
  own,
  ownList,
  ownObject,
  required,
} from '../../meta/index.ts';
import { eachIn, numberAt, textAt } from '../rules/field-checks.ts';
import { checkBy, type ItemRule, itemRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { equalSpecs, mandatorySpec } from './bootstrap-spec.ts';

const precedenceMax = 10_000;
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Source: kubernetes, pkg/apis/flowcontrol/validation, ValidateFlowSchema. */
export const flowSchemaRules: readonly KindRule[] = [
  { path: 'spec.matchingPrecedence', above: 0, says: 'must be a positive value' },
  { path: 'spec.matchingPrecedence', max: precedenceMax },
  firstPrecedenceErrors,
  (schema) => distinguisherErrors(specOf(schema)),
  {
    path: 'spec.priorityLevelConfiguration.name',
    required: 'must reference a priority level',
    check: checkDnsSubdomain,
  },
  (schema) => eachIn('spec', specOf(schema), 'rules', checkBy(policyRules)),
  fixedErrors,
  conditionErrors,
];

const policyRules: readonly ItemRule[] = [
  { path: 'subjects', required: 'subjects must contain at least one value' },
  (rule, path) => eachIn(path, rule, 'subjects', subjectErrors),
  emptyRuleErrors,
  (rule, path) => eachIn(path, rule, 'resourceRules', checkBy(resourceRules)),
  (rule, path) => eachIn(path, rule, 'nonResourceRules', checkBy(nonResourceRules)),
];

const resourceRules: readonly ItemRule[] = [
  { path: 'verbs', required: 'verbs must contain at least one value' },
  verbErrors,
  { path: 'apiGroups', required: 'resource rules must supply at least one api group' },
  alone('apiGroups', 'api groups'),
  { path: 'resources', required: 'resource rules must supply at least one resource' },
  alone('resources', 'resources'),
  namespaceErrors,
];

const nonResourceRules: readonly ItemRule[] = [
  { path: 'verbs', required: 'verbs must contain at least one value' },
  verbErrors,
  { path: 'nonResourceURLs', required: 'nonResourceURLs must contain at least one value' },
  urlErrors,
];

/** The member of each kind of subject that names it. */
const members = Object.freeze({ ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' });

const memberRules: Readonly<Record<keyof typeof members, readonly ItemRule[]>> = {
  ServiceAccount: [
    { path: 'name', required: true },
    { path: 'name', check: (name) => (name === '*' ? [] : checkDnsSubdomain(name)) },
    { path: 'namespace', required: 'must specify namespace for service account', check: checkDnsLabel },
  ],
  User: [{ path: 'name', required: true }],
  Group: [{ path: 'name', required: true }],
};

function firstPrecedenceErrors(schema: KubeObject): FieldError[] {
  const precedence = numberAt(specOf(schema), 'matchingPrecedence');
  if (precedence !== 1 || nameOf(schema) === 'exempt') return [];
  const why = "only the schema named 'exempt' may have matchingPrecedence 1";
  return [invalid('spec.matchingPrecedence', precedence, why)];
}

function fixedErrors(schema: KubeObject): FieldError[] {
  const spec = specOf(schema);
  const fixed = mandatorySpec(schema, mandatoryFlowSchemas);
  if (fixed === undefined || equalSpecs(spec, fixed)) return [];
  return [invalid('spec', spec, `spec of '${nameOf(schema)}' must equal the fixed value`)];
}

function distinguisherErrors(spec: JsonObject): FieldError[] {
  const method = ownObject(spec, 'distinguisherMethod');
  const known = ['ByNamespace', 'ByUser'];
  if (method === undefined || known.includes(textAt(method, 'type'))) return [];
  const valueText = JSON.stringify({ Type: textAt(method, 'type') });
  return [{ ...notSupported('spec.distinguisherMethod.type', {}, known), valueText }];
}

function emptyRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const isEmpty = (field: string) => (ownList(rule, field) ?? []).length === 0;
  if (!isEmpty('resourceRules') || !isEmpty('nonResourceRules')) return [];
  return [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')];
}

function isSubjectKind(kind: string): kind is keyof typeof members {
  return Object.hasOwn(members, kind);
}

function subjectErrors(subject: JsonObject, path: string): FieldError[] {
  const kind = textAt(subject, 'kind');
  if (!isSubjectKind(kind)) return [notSupported(`${path}.kind`, kind, ['Group', 'ServiceAccount', 'User'])];
  const others = Object.entries(members).filter(([other]) => other !== kind);
  return [
    ...memberErrors(kind, ownObject(subject, members[kind]), `${path}.${members[kind]}`),
    ...others.flatMap(([other, member]) =>
      own(subject, member) === undefined
        ? []
        : [forbidden(`${path}.${member}`, `${member} is forbidden when subject kind is not '${other}'`)],
    ),
  ];
}

function memberErrors(
  kind: keyof typeof members,
  member: JsonObject | undefined,
  path: string,
): FieldError[] {
  if (member !== undefined) return itemRuleErrors(memberRules[kind], member, path);
  return [required(path, `${members[kind]} is required when subject kind is '${kind}'`)];
}

function textsAt(object: JsonObject, field: string): readonly string[] {
  return (ownList(object, field) ?? []).filter((item) => typeof item === 'string');
}

function verbErrors(rule: JsonObject, path: string): FieldError[] {
  const given = textsAt(rule, 'verbs');
  if (given.includes('*')) return aloneErrors(`${path}.verbs`, given, 'verbs');
  const unknown = given.some((verb) => !verbs.includes(verb));
  return unknown ? [notSupported(`${path}.verbs`, [...given], verbs)] : [];
}

/** A list with `*` has no other items. */
function alone(field: string, what: string) {
  return (rule: JsonObject, path: string) => aloneErrors(`${path}.${field}`, textsAt(rule, field), what);
}

function aloneErrors(path: string, given: readonly string[], what: string): FieldError[] {
  if (given.length === 1 || !given.includes('*')) return [];
  return [invalid(path, [...given], `if '*' is present, must not specify other ${what}`)];
}

function namespaceErrors(rule: JsonObject, ruleAt: string): FieldError[] {
  const path = `${ruleAt}.namespaces`;
  const given = textsAt(rule, 'namespaces');
  if (given.length === 0 && own(rule, 'clusterScope') !== true) {
    const why = 'resource rules that are not cluster scoped must supply at least one namespace';
    return [required(path, why)];
  }
  if (given.includes('*')) return aloneErrors(path, given, 'namespaces');
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  return given.flatMap((namespace, at) =>
    checkDnsLabel(namespace).map((text) => invalid(`${path}[${at}]`, namespace, intro + text)),
  );
}

function urlErrors(rule: JsonObject, path: string): FieldError[] {
  const urls = textsAt(rule, 'nonResourceURLs');
  const at = `${path}.nonResourceURLs`;
  if (urls.includes('*')) return aloneErrors(at, urls, 'non-resource URLs');
  return urls.flatMap((url, index) => {
    const why = pathMistake(url);
    return why === undefined ? [] : [invalid(`${at}[${index}]`, url, why)];
  });
}

function pathMistake(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  const stars = path.split('*').length - 1;
  if (stars > 1 || (stars === 1 && !path.endsWith('/*'))) return 'wildcard can only do suffix matching';
  return undefined;
}

/** The conditions in the status of both kinds: each has a type of its own. */
export function conditionErrors(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('status', statusOf(object), 'conditions', (condition, path) => {
    const type = textAt(condition, 'type');
    const isTwin = seen.has(type);
    seen.add(type);
    return [
      ...(isTwin ? [duplicate(`${path}.type`, type)] : []),
      ...itemRuleErrors([{ path: 'type', required: true }], condition, path),
    ];
  });
}

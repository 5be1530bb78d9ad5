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
import { eachIn, invalidAs, numberAt, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { equalSpecs, mandatorySpec } from './bootstrap-spec.ts';

/** Source: kubernetes, pkg/apis/flowcontrol/validation, ValidateFlowSchema. */

const precedenceMax = 10_000;
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

export function flowSchemaErrors(schema: KubeObject): FieldError[] {
  const spec = specOf(schema);
  const fixed = mandatorySpec(schema, mandatoryFlowSchemas);
  const differs = fixed !== undefined && !equalSpecs(spec, fixed);
  return [
    ...precedenceErrors(nameOf(schema), numberAt(spec, 'matchingPrecedence') ?? 0),
    ...distinguisherErrors(spec),
    ...levelErrors(textAt(ownObject(spec, 'priorityLevelConfiguration') ?? {}, 'name')),
    ...eachIn('spec', spec, 'rules', ruleErrors),
    ...(differs ? [invalid('spec', spec, `spec of '${nameOf(schema)}' must equal the fixed value`)] : []),
    ...conditionErrors(schema),
  ];
}

function precedenceErrors(name: string, precedence: number): FieldError[] {
  const path = 'spec.matchingPrecedence';
  const wrong = (why: string) => invalid(path, precedence, why);
  return [
    ...(precedence <= 0 ? [wrong('must be a positive value')] : []),
    ...(precedence > precedenceMax ? [wrong(`must not be greater than ${precedenceMax}`)] : []),
    ...(precedence === 1 && name !== 'exempt'
      ? [wrong("only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
  ];
}

function distinguisherErrors(spec: JsonObject): FieldError[] {
  const method = ownObject(spec, 'distinguisherMethod');
  const known = ['ByNamespace', 'ByUser'];
  if (method === undefined || known.includes(textAt(method, 'type'))) return [];
  return [notSupported('spec.distinguisherMethod.type', method, known)];
}

function levelErrors(name: string): FieldError[] {
  const path = 'spec.priorityLevelConfiguration.name';
  if (name === '') return [required(path, 'must reference a priority level')];
  return invalidAs(path, name, checkDnsSubdomain);
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const isEmpty = (field: string) => (ownList(rule, field) ?? []).length === 0;
  const noRules = isEmpty('resourceRules') && isEmpty('nonResourceRules');
  return [
    ...(isEmpty('subjects')
      ? [required(`${path}.subjects`, 'subjects must contain at least one value')]
      : []),
    ...eachIn(path, rule, 'subjects', subjectErrors),
    ...(noRules
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...eachIn(path, rule, 'resourceRules', resourceRuleErrors),
    ...eachIn(path, rule, 'nonResourceRules', nonResourceRuleErrors),
  ];
}

/** The member that each kind of subject has, and how texts call the kind. */
const members = Object.freeze({ ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' });

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
  if (member === undefined)
    return [required(path, `${members[kind]} is required when subject kind is '${kind}'`)];
  const name = textAt(member, 'name');
  if (kind !== 'ServiceAccount') return name === '' ? [required(`${path}.name`)] : [];
  const namespace = textAt(member, 'namespace');
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(name === '' || name === '*' ? [] : invalidAs(`${path}.name`, name, checkDnsSubdomain)),
    ...(namespace === ''
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : invalidAs(`${path}.namespace`, namespace, checkDnsLabel)),
  ];
}

function textsAt(object: JsonObject, field: string): readonly string[] {
  return (ownList(object, field) ?? []).filter((item) => typeof item === 'string');
}

function verbErrors(rule: JsonObject, path: string): FieldError[] {
  const given = textsAt(rule, 'verbs');
  if (given.length === 0) return [required(`${path}.verbs`, 'verbs must contain at least one value')];
  if (given.includes('*')) return aloneErrors(`${path}.verbs`, given, 'verbs');
  const unknown = given.some((verb) => !verbs.includes(verb));
  return unknown ? [notSupported(`${path}.verbs`, [...given], verbs)] : [];
}

function aloneErrors(path: string, given: readonly string[], what: string): FieldError[] {
  if (given.length === 1 || !given.includes('*')) return [];
  return [invalid(path, [...given], `if '*' is present, must not specify other ${what}`)];
}

function resourceRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const list = (field: string, one: string, many: string) => {
    const given = textsAt(rule, field);
    const at = `${path}.${field}`;
    if (given.length === 0) return [required(at, `resource rules must supply at least one ${one}`)];
    return aloneErrors(at, given, many);
  };
  return [
    ...verbErrors(rule, path),
    ...list('apiGroups', 'api group', 'api groups'),
    ...list('resources', 'resource', 'resources'),
    ...namespaceErrors(rule, `${path}.namespaces`),
  ];
}

function namespaceErrors(rule: JsonObject, path: string): FieldError[] {
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

function nonResourceRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const urls = textsAt(rule, 'nonResourceURLs');
  const at = `${path}.nonResourceURLs`;
  if (urls.length === 0)
    return [...verbErrors(rule, path), required(at, 'nonResourceURLs must contain at least one value')];
  if (urls.includes('*')) return [...verbErrors(rule, path), ...aloneErrors(at, urls, 'non-resource URLs')];
  return [
    ...verbErrors(rule, path),
    ...urls.flatMap((url, index) => {
      const why = pathMistake(url);
      return why === undefined ? [] : [invalid(`${at}[${index}]`, url, why)];
    }),
  ];
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

/** Of the status of both kinds: conditions have a type, each another one. */
export function conditionErrors(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return eachIn('status', statusOf(object), 'conditions', (condition, path) => {
    const type = textAt(condition, 'type');
    const twice = seen.has(type);
    seen.add(type);
    return [
      ...(twice ? [duplicate(`${path}.type`, type)] : []),
      ...(type === '' ? [required(`${path}.type`)] : []),
    ];
  });
}

import {
  admissionVariables,
  CelIssues,
  type DeclaredType,
  Declarations,
  declareVariables,
  dynType,
  type Environment,
  listType,
  mapType,
  type Type,
} from '../../cel/index.ts';
import {
  type GroupVersionKind,
  type GroupVersionResource,
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import { declareObject, type RuleEnvironments } from '../../schema/index.ts';
import { paramKindOf } from './params.ts';
import { itemsOf } from './policy-expression.ts';

/** A kind and the schema of its objects. */
export interface KindSchema {
  readonly kind: GroupVersionKind;
  readonly schema: JsonObject;
}

/** Finds the schemas of the kinds that are currently served. */
export interface KindSchemas {
  ofResource(resource: GroupVersionResource): Promise<KindSchema | undefined>;
  ofKind(apiVersion: string, kind: string): Promise<KindSchema | undefined>;
}

/** The maximum number of kinds that are checked for one policy. */
const kindsMax = 10;

/**
 * Checks the types of a ValidatingAdmissionPolicy's expressions against the schemas of the kinds that it matches. The
 * results are warnings in the status; they do not affect evaluation. Source: apiserver,
 * policy/validating/typechecking.go.
 */
export class PolicyTypeChecker {
  readonly #environments: RuleEnvironments;
  readonly #schemas: KindSchemas;

  constructor(environments: RuleEnvironments, schemas: KindSchemas) {
    this.#environments = environments;
    this.#schemas = schemas;
  }

  /** The `expressionWarnings` of a policy. */
  async warnings(policy: KubeObject): Promise<JsonObject[]> {
    const spec = ownObject(policy, 'spec') ?? {};
    const scopes = await this.#scopes(spec);
    return itemsOf(spec, 'validations').flatMap((validation, index) =>
      ['expression', 'messageExpression'].flatMap((field) => {
        const source = ownString(validation, field) ?? '';
        const found = source === '' ? [] : scopes.flatMap((scope) => scope.problem(source));
        if (found.length === 0) return [];
        return [{ fieldRef: `spec.validations[${index}].${field}`, warning: found.join('\n') }];
      }),
    );
  }

  /** The variables of expressions, for each of the kinds. */
  async #scopes(spec: JsonObject): Promise<KindScope[]> {
    const kinds = await this.#kinds(spec);
    const paramKind = paramKindOf(spec);
    const found = paramKind && (await this.#schemas.ofKind(paramKind.apiVersion, paramKind.kind));
    const param = found && declareObject(found.schema, found.kind.kind);
    const environment = this.#environments.forStored;
    return kinds.map((kind) => {
      const object = declareObject(kind.schema, kind.kind.kind);
      const params = { params: paramKind !== undefined, ...(param && { param }) };
      return new KindScope(kind.kind, spec, { environment, object, params });
    });
  }

  /** The kinds of rules without wildcards, in order. */
  async #kinds(spec: JsonObject): Promise<KindSchema[]> {
    const found = new Map<string, KindSchema>();
    const rules = ownList(ownObject(spec, 'matchConstraints') ?? {}, 'resourceRules') ?? [];
    for (const rule of rules.filter(isObject)) {
      let count = 0;
      for (const resource of resourcesOf(rule)) {
        const schema = await this.#schemas.ofResource(resource);
        if (schema === undefined) continue;
        found.set(kindText(schema.kind), schema);
        count += 1;
        if (count === kindsMax) return inOrder(found);
      }
    }
    return inOrder(found);
  }
}

function inOrder(found: ReadonlyMap<string, KindSchema>): KindSchema[] {
  const parts = ({ kind: { group, version, kind } }: KindSchema) => [group, version, kind];
  return [...found.values()].sort((a, b) => compareParts(parts(a), parts(b)));
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((part, at) => part !== b[at]);
  if (index < 0) return 0;
  return (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
}

function resourcesOf(rule: JsonObject): GroupVersionResource[] {
  const [groups, versions] = ['apiGroups', 'apiVersions'].map((field) => stringList(own(rule, field)).sort());
  const all = [...(groups ?? []), ...(versions ?? [])];
  if (all.some((word) => word.includes('*'))) return [];
  const resources = stringList(own(rule, 'resources')).filter((word) => !/[*/]/.test(word));
  return (groups ?? []).flatMap((group) =>
    (versions ?? []).flatMap((version) => resources.sort().map((resource) => ({ group, version, resource }))),
  );
}

/** As Go prints it: `apps/v1, Kind=Deployment`. */
function kindText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/**
 * The types of variables as upstream declares them: objects are dynamic, also in lists and maps, as are values
 * without a type.
 */
function typeOfVariable(type: Type): Type {
  const [first = dynType, second = dynType] = type.params;
  switch (type.kind) {
    case 'struct':
    case 'opaque':
      return dynType;
    case 'list':
      return listType(typeOfVariable(first));
    case 'map':
      return mapType(typeOfVariable(first), typeOfVariable(second));
    default:
      return type;
  }
}

/** The variables of a policy's expressions for one kind. */
class KindScope {
  readonly #kind: GroupVersionKind;
  readonly #environment: Environment;
  readonly #declarations: Declarations;

  constructor(
    kind: GroupVersionKind,
    spec: JsonObject,
    parts: {
      readonly environment: Environment;
      readonly object: DeclaredType | undefined;
      readonly params: { readonly params: boolean; readonly param?: DeclaredType };
    },
  ) {
    this.#kind = kind;
    this.#environment = parts.environment;
    const types = new Map<string, Type>();
    const { object, params } = parts;
    const declared = () => {
      const variables = admissionVariables({
        ...params,
        ...(object && { object }),
        authorizer: true,
        variables: declareVariables(types),
      });
      // Upstream declares only the authorizer.
      return new Declarations(
        Object.entries(variables).filter(([name]) => name !== 'authorizer.requestResource'),
      );
    };
    for (const variable of itemsOf(spec, 'variables')) {
      const type = this.#typeOf(ownString(variable, 'expression') ?? '', declared());
      const known = typeof type === 'string' ? dynType : typeOfVariable(type);
      types.set(ownString(variable, 'name') ?? '', known);
    }
    this.#declarations = declared();
  }

  /** The type errors of an expression; one text at most. */
  problem(source: string): string[] {
    const type = this.#typeOf(source, this.#declarations);
    return typeof type === 'string' ? [`${kindText(this.#kind)}: ${type}\n`] : [];
  }

  #typeOf(source: string, declarations: Declarations): Type | string {
    try {
      return this.#environment.check(this.#environment.parse(source), declarations).type;
    } catch (error) {
      if (error instanceof CelIssues) return error.message;
      throw error;
    }
  }
}

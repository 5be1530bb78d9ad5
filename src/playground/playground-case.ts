import { badRequestError, isObject, type JsonObject, own, type UserInfo } from '../meta/index.ts';

/** The input of a case: YAML or JSON texts from an editor. */
export interface PlaygroundCase {
  /** CRDs, or only the schema of a kind. */
  readonly definition: string;
  /** Policies with their bindings, parameters and namespaces, one document each. */
  readonly policies: string;
  /** The written object; empty for a deletion. */
  readonly object: string;
  /** The stored object; empty for a create. */
  readonly oldObject: string;
  /** The user, who may do everything. */
  readonly user: UserInfo;
  /** The labels of the object's namespace; undefined if `policies` contains it or they do not matter. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

const documentNames = ['definition', 'policies', 'object', 'oldObject'] as const;
/** A text of a case. */
export type DocumentName = (typeof documentNames)[number];

const administrator: UserInfo = Object.freeze({
  name: 'admin',
  groups: Object.freeze(['system:masters', 'system:authenticated']),
});

const fields: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  ...documentNames,
  'user',
  'groups',
  'namespaceLabels',
]);

/** Parses a request body. @throws {StatusError} 400 for an invalid case */
export function readCase(value: JsonObject): PlaygroundCase {
  const unknown = Object.keys(value).find((field) => !fields.has(field));
  if (unknown !== undefined) throw badRequestError(`unknown field ${JSON.stringify(unknown)}`);
  const [definition, policies, object, oldObject] = documentNames.map((name) => textOf(value, name));
  return {
    definition: definition ?? '',
    policies: policies ?? '',
    object: object ?? '',
    oldObject: oldObject ?? '',
    user: userOf(value),
    namespaceLabels: labelsOf(value),
  };
}

function textOf(value: JsonObject, field: string): string {
  const text = own(value, field) ?? '';
  if (typeof text !== 'string') throw badRequestError(`${field}: must be a text in YAML or JSON`);
  return text;
}

function userOf(value: JsonObject): UserInfo {
  const name = textOf(value, 'user');
  const groups = own(value, 'groups') ?? [];
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string'))
    throw badRequestError('groups: must be a list of texts');
  if (name === '') {
    if (groups.length > 0) throw badRequestError('groups: must not be set without user');
    return administrator;
  }
  return { name, groups: [...new Set([...groups, 'system:authenticated'])] };
}

function labelsOf(value: JsonObject): Readonly<Record<string, string>> | undefined {
  const labels = own(value, 'namespaceLabels') ?? undefined;
  if (labels === undefined) return undefined;
  if (!isObject(labels)) throw badRequestError('namespaceLabels: must be an object of texts');
  const entries = Object.entries(labels).map(([key, label]): [string, string] => {
    if (typeof label !== 'string') throw badRequestError('namespaceLabels: must be an object of texts');
    return [key, label];
  });
  return Object.fromEntries(entries);
}

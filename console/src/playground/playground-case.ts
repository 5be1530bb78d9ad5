/** A case: YAML texts for the endpoint. See docs/playground.md. */
export interface PlaygroundCase {
  /** A rule alone, about the value `object`; empty where definition and policies decide. */
  readonly rule: string;
  readonly definition: string;
  readonly policies: string;
  readonly object: string;
  readonly oldObject: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly namespaceLabels: Readonly<Record<string, string>>;
}

const documentNames = ['definition', 'policies', 'object', 'oldObject'] as const;
export type DocumentName = (typeof documentNames)[number];

export const emptyCase: PlaygroundCase = Object.freeze({
  rule: '',
  definition: '',
  policies: '',
  object: '',
  oldObject: '',
  user: '',
  groups: [],
  namespaceLabels: {},
});

/** The request body without empty fields, for which the server has defaults. */
export function bodyOf({ groups, namespaceLabels, user, ...texts }: Omit<PlaygroundCase, 'rule'>): string {
  const hasLabels = Object.keys(namespaceLabels).length > 0;
  return JSON.stringify({
    ...texts,
    ...(user === '' ? {} : { user, groups }),
    ...(hasLabels ? { namespaceLabels } : {}),
  });
}

/** Parses external data; undefined if it is not a case. */
export function caseFrom(value: unknown): PlaygroundCase | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const of = new Map(Object.entries(value));
  const text = (name: string) => of.get(name) ?? '';
  const texts = [...documentNames, 'user', 'rule'].map(text);
  const groups: unknown = of.get('groups') ?? [];
  const labels: unknown = of.get('namespaceLabels') ?? {};
  if (!texts.every(isText) || !Array.isArray(groups) || !groups.every(isText)) return undefined;
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return undefined;
  if (!Object.values(labels).every(isText)) return undefined;
  const [definition = '', policies = '', object = '', oldObject = '', user = '', rule = ''] = texts;
  return { rule, definition, policies, object, oldObject, user, groups, namespaceLabels: { ...labels } };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

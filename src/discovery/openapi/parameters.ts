/** A path or query parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
}

const query = (name: string, description: string, type: Parameter['type'] = 'string'): Parameter => ({
  name,
  in: 'query',
  type,
  description,
});

const pretty = query(
  'pretty',
  'With true, JSON is indented. Where it is not given, it is for browsers, curl and wget.',
);

const dryRun = query('dryRun', 'With All, the request goes through every stage and nothing is stored.');

const resourceVersion = query(
  'resourceVersion',
  'How new the answer must be: not older than this; 0 takes whatever is at hand, nothing takes the newest.',
);

const write: readonly Parameter[] = [
  dryRun,
  query(
    'fieldManager',
    'In whose name fields are set; where it is not given, the beginning of the User-Agent. Required for apply.',
  ),
  query(
    'fieldValidation',
    'What happens to unknown and duplicate fields: Ignore drops them, Warn (the default) drops them with a warning, Strict refuses the request.',
  ),
];

const list: readonly Parameter[] = [
  query(
    'allowWatchBookmarks',
    'The watch may send bookmarks: events that only tell a resourceVersion.',
    'boolean',
  ),
  query('continue', 'The token with which the last answer said that there is more.'),
  query('fieldSelector', 'Which objects are meant, by their fields: "spec.color=blue,metadata.name!=x".'),
  query('labelSelector', 'Which objects are meant, by their labels: "app=web,tier in (a,b)".'),
  query('limit', 'How many objects one answer has at most.', 'integer'),
  resourceVersion,
  query(
    'resourceVersionMatch',
    'How resourceVersion is meant: Exact, or NotOlderThan. May only be given along with it.',
  ),
  query(
    'sendInitialEvents',
    'The watch begins with an event for each object there is, and a bookmark after the last of them.',
    'boolean',
  ),
  query('timeoutSeconds', 'After how many seconds the request ends.', 'integer'),
  query('watch', 'Sends the changes from resourceVersion on, instead of a list.', 'boolean'),
];

const remove: readonly Parameter[] = [
  dryRun,
  query('gracePeriodSeconds', 'Seconds that the object has to end; zero deletes at once.', 'integer'),
  query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'Delete the object even if what is stored of it cannot be read.',
    'boolean',
  ),
  query(
    'orphanDependents',
    'Deprecated: use propagationPolicy. True leaves the dependents without owner.',
    'boolean',
  ),
  query('propagationPolicy', 'What becomes of the dependents: Orphan, Background or Foreground.'),
];

/** The query parameters by action. */
export const queryParameters = {
  get: [pretty, resourceVersion],
  list: [pretty, ...list],
  write: [pretty, ...write],
  patch: [
    pretty,
    ...write,
    query('force', 'Takes fields over that others have set. For apply only.', 'boolean'),
  ],
  delete: [pretty, ...remove],
} as const satisfies Readonly<Record<string, readonly Parameter[]>>;

export const namespaceParameter: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'The namespace of the objects.',
};

/** The name parameter in the path of an object. */
export function nameParameter(kind: string): Parameter {
  return { name: 'name', in: 'path', type: 'string', description: `The name of the ${kind}.` };
}

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

const pretty = query('pretty', 'If true, JSON is indented. By default it is for browsers, curl and wget.');

const dryRun = query('dryRun', 'With All, the request runs all stages, but nothing is stored.');

const resourceVersion = query(
  'resourceVersion',
  'The minimum revision of the response; 0 allows any cached state, and without it the response is current.',
);

const write: readonly Parameter[] = [
  dryRun,
  query(
    'fieldManager',
    'The owner of the fields; by default the first part of the User-Agent. Required for apply.',
  ),
  query(
    'fieldValidation',
    'How to handle unknown and duplicate fields: Ignore drops them, Warn (the default) drops them with a warning, Strict refuses the request.',
  ),
];

const list: readonly Parameter[] = [
  query(
    'allowWatchBookmarks',
    'Allows the watch to send bookmarks: events with only a resourceVersion.',
    'boolean',
  ),
  query('continue', 'The continue token of the previous page.'),
  query('fieldSelector', 'Selects objects by fields: "spec.color=blue,metadata.name!=x".'),
  query('labelSelector', 'Selects objects by labels: "app=web,tier in (a,b)".'),
  query('limit', 'The maximum number of objects in the response.', 'integer'),
  resourceVersion,
  query(
    'resourceVersionMatch',
    'How resourceVersion is matched: Exact or NotOlderThan. Requires resourceVersion.',
  ),
  query(
    'sendInitialEvents',
    'The watch starts with an event for each existing object, and a bookmark after the last one.',
    'boolean',
  ),
  query('timeoutSeconds', 'The timeout of the request in seconds.', 'integer'),
  query('watch', 'Watches for changes after resourceVersion instead of listing.', 'boolean'),
];

const remove: readonly Parameter[] = [
  dryRun,
  query('gracePeriodSeconds', 'The grace period in seconds; zero deletes immediately.', 'integer'),
  query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'Deletes the object even if its stored data is unreadable.',
    'boolean',
  ),
  query(
    'orphanDependents',
    'Deprecated: use propagationPolicy. If true, dependents are orphaned.',
    'boolean',
  ),
  query('propagationPolicy', 'How dependents are deleted: Orphan, Background or Foreground.'),
];

/** The query parameters by action. */
export const queryParameters = {
  get: [pretty, resourceVersion],
  list: [pretty, ...list],
  write: [pretty, ...write],
  patch: [pretty, ...write, query('force', 'Takes over fields of other owners. Only for apply.', 'boolean')],
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

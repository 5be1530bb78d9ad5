import type { JsonObject } from '../../../meta/index.ts';
import { list, model, ofKind, plainText, ref, text, typeMeta } from './notation.ts';

const home = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

/** The model names of the responses of non-resource endpoints. */
export const endpointModels = {
  apiVersions: `${home}APIVersions`,
  apiGroupList: `${home}APIGroupList`,
  version: 'io.k8s.apimachinery.pkg.version.Info',
} as const;

const servers = list(
  ref(`${home}ServerAddressByClientCIDR`),
  'Which address of the server clients in which network are to use.',
);

const apiGroup = model(
  'A group and its versions.',
  {
    ...typeMeta,
    name: text('The name of the group.'),
    preferredVersion: ref(`${home}GroupVersionForDiscovery`, 'The version that clients should use.'),
    serverAddressByClientCIDRs: servers,
    versions: list(ref(`${home}GroupVersionForDiscovery`), 'All versions that are served.'),
  },
  { required: ['name', 'versions'], extensions: ofKind('', 'v1', 'APIGroup') },
);

const build = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, plainText]));

/** The responses of `/api`, `/apis` and `/version`. */
export const serverEndpointModels: JsonObject = {
  [endpointModels.apiVersions]: model(
    'The versions of the core group.',
    {
      ...typeMeta,
      serverAddressByClientCIDRs: servers,
      versions: list(plainText, 'All versions that are served.'),
    },
    { required: ['versions', 'serverAddressByClientCIDRs'], extensions: ofKind('', 'v1', 'APIVersions') },
  ),
  [endpointModels.apiGroupList]: model(
    'All groups but the core group.',
    { ...typeMeta, groups: list(ref(`${home}APIGroup`), 'The groups.') },
    { required: ['groups'], extensions: ofKind('', 'v1', 'APIGroupList') },
  ),
  [`${home}APIGroup`]: apiGroup,
  [`${home}GroupVersionForDiscovery`]: model(
    'A version of a group.',
    {
      groupVersion: text('Group and version: "example.com/v1".'),
      version: text('The version alone: "v1".'),
    },
    { required: ['groupVersion', 'version'] },
  ),
  [`${home}ServerAddressByClientCIDR`]: model(
    'The address of the server for clients in a network.',
    {
      clientCIDR: text('The network of the clients.'),
      serverAddress: text('Host and port of the server, or its host name.'),
    },
    { required: ['clientCIDR', 'serverAddress'] },
  ),
  [endpointModels.version]: model(
    'What the server is built from.',
    build([
      'buildDate',
      'compiler',
      'emulationMajor',
      'emulationMinor',
      'gitCommit',
      'gitTreeState',
      'gitVersion',
      'goVersion',
      'major',
      'minCompatibilityMajor',
      'minCompatibilityMinor',
      'minor',
      'platform',
    ]),
    {
      required: [
        'major',
        'minor',
        'gitVersion',
        'gitCommit',
        'gitTreeState',
        'buildDate',
        'goVersion',
        'compiler',
        'platform',
      ],
    },
  ),
};

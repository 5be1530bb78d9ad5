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
  'The addresses of the server by client network.',
);

const apiGroup = model(
  'A group and its versions.',
  {
    ...typeMeta,
    name: text('The name of the group.'),
    preferredVersion: ref(`${home}GroupVersionForDiscovery`, 'The version that clients should use.'),
    serverAddressByClientCIDRs: servers,
    versions: list(ref(`${home}GroupVersionForDiscovery`), 'All served versions.'),
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
      versions: list(plainText, 'All served versions.'),
    },
    { required: ['versions', 'serverAddressByClientCIDRs'], extensions: ofKind('', 'v1', 'APIVersions') },
  ),
  [endpointModels.apiGroupList]: model(
    'All groups except the core group.',
    { ...typeMeta, groups: list(ref(`${home}APIGroup`), 'The groups.') },
    { required: ['groups'], extensions: ofKind('', 'v1', 'APIGroupList') },
  ),
  [`${home}APIGroup`]: apiGroup,
  [`${home}GroupVersionForDiscovery`]: model(
    'A version of a group.',
    {
      groupVersion: text('Group and version: "example.com/v1".'),
      version: text('Only the version: "v1".'),
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
    'Build information of the server.',
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

import { describe, expect, test } from 'vitest';
import { controllerNames } from '../../controllers/index.ts';
import { checkForkOptions, checkServerOptions } from './check-options.ts';

const refusalOf = (check: (options: unknown) => void, options: unknown): string => {
  try {
    check(options);
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('options that are refused', () => {
  const cases: [options: unknown, message: string][] = [
    [{ crd: [] }, "unknown option 'crd' (Did you mean crds?)"],
    [{ Objects: [] }, "unknown option 'Objects' (Did you mean objects?)"],
    [{ listen: { hots: 'x' } }, "unknown option 'listen.hots' (Did you mean listen.host?)"],
    [
      { listen: { socketPath: '/x' } },
      "unknown option 'listen.socketPath' (they are host, port, tls, certificateHosts)",
    ],
    [{ crds: 'config/crd' }, "option 'crds' argument 'config/crd' is invalid. not a list."],
    [{ crds: [7] }, "option 'crds[0]' argument '7' is invalid. not a path, a file: URL or an object."],
    [{ listen: true }, "option 'listen' argument 'true' is invalid. not an object."],
    [{ listen: { port: 70_000 } }, "option 'listen.port' argument '70000' is invalid. not a port."],
    [{ listen: { port: '6443' } }, "option 'listen.port' argument '6443' is invalid. not a port."],
    [{ listen: { tls: { ca: {} } } }, "required option 'listen.tls.ca.certPem' not specified"],
    [{ storage: {} }, "required option 'storage.kind' not specified"],
    [{ storage: { kind: 'sqlite' } }, "required option 'storage.dataDir' not specified"],
    [
      { storage: { kind: 'redis' } },
      "option 'storage.kind' argument 'redis' is invalid. there is no storage \"redis\", only memory, sqlite, etcd, postgres",
    ],
    [{ storage: { kind: 'memory', dataDir: 'x' } }, "unknown option 'storage.dataDir' (they are kind)"],
    [{ kubernetesService: 'yes' }, "option 'kubernetesService' argument 'yes' is invalid. not a boolean."],
    [
      { maxRequestsInFlight: 0 },
      "option 'maxRequestsInFlight' argument '0' is invalid. not a number of requests.",
    ],
    [
      { selectors: { selectableFieldsMax: 0.5 } },
      "option 'selectors.selectableFieldsMax' argument '0.5' is invalid. not a number of fields.",
    ],
    [{ compactionIntervalMs: -1 }, "option 'compactionIntervalMs' argument '-1' is invalid. not a number."],
    [
      { authorizationModes: ['ABAC'] },
      "option 'authorizationModes[0]' argument 'ABAC' is invalid. \"ABAC\" is no authorization mode: they are RBAC, AlwaysAllow, AlwaysDeny",
    ],
    [
      { authorizer: {} },
      "option 'authorizer' argument an object is invalid. not an object with authorize().",
    ],
    [{ clock: 5 }, "option 'clock' argument '5' is invalid. not an object with now()."],
    [
      { disableControllers: ['gc'] },
      `option 'disableControllers' argument an array is invalid. there is no controller gc: they are ${controllerNames.join(', ')}`,
    ],
    [
      { enableAdmissionPlugins: ['Nope'] },
      'option \'enableAdmissionPlugins\' argument an array is invalid. enable-admission-plugins plugin "Nope" is unknown',
    ],
    [
      { services: { converter: 'https://127.0.0.1:9443' } },
      "option 'services' argument an object is invalid. converter=https://127.0.0.1:9443 is not of the form <namespace>/<name>:<port>=https://<host>:<port>",
    ],
    [
      { featureGates: { CRDValidationRatcheting: 1 } },
      "option 'featureGates.CRDValidationRatcheting' argument '1' is invalid. not a boolean.",
    ],
    [
      { conversions: { 'a.b': {} } },
      "option 'conversions.a.b' argument an object is invalid. not a function.",
    ],
    [{ webhooks: [{ name: 'a.b.c' }] }, "required option 'webhooks[0].phase' not specified"],
    [{ slowRequests: { fromMs: 5 } }, "required option 'slowRequests.onSlow' not specified"],
    [
      JSON.parse('{"__proto__":{}}'),
      expect.stringMatching(/^unknown option '__proto__' \(they are storage, listen/),
    ],
    ['config/crd', "argument 'config/crd' is invalid. not an object."],
  ];

  test.each(cases)('%j', (options, message) => {
    const text = refusalOf(checkServerOptions, options);
    expect(text).toMatch(/^OptionError: startServer: /);
    expect(text.replace('OptionError: startServer: ', '')).toEqual(message);
  });
});

test('an unknown gate is refused with the list of gates', () => {
  expect(refusalOf(checkServerOptions, { featureGates: { Nope: true } })).toMatch(
    /^OptionError: startServer: option 'featureGates' argument an object is invalid\. unrecognized feature gate: Nope \(known: /,
  );
});

test.each([
  {},
  { crds: undefined, listen: undefined },
  { listen: false },
  { listen: {} },
  { listen: { port: 0 } },
  { listen: { host: '::1', tls: true } },
  { storage: { kind: 'etcd', endpoints: ['http://127.0.0.1:2379'] } },
  { crds: ['a', new URL('file:///a'), new (class Crd {})()] },
  { authorizationModes: ['RBAC', { authorize: () => ({ verdict: 'allow', reason: '' }) }] },
])('taken: %j', (options) => {
  expect(refusalOf(checkServerOptions, options)).toBe('');
});

test('a fork does not have all of them', () => {
  expect(refusalOf(checkForkOptions, { storage: { kind: 'memory' } })).toMatch(
    /^OptionError: startServer: unknown option 'storage' \(they are listen, crds, objects, /,
  );
  expect(refusalOf(checkForkOptions, { listen: false, crds: [] })).toBe('');
});

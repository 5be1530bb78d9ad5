import { checkPluginChoice } from '../../admission/index.ts';
import { checkControllerNames } from '../../controllers/index.ts';
import { parseFeatureGates } from '../../meta/index.ts';
import { authorizationModes, numberRules } from '../../server.ts';
import { parseServiceMap } from '../../webhook/index.ts';
import type { FixedOption, ServerOptions } from '../server-options.ts';
import {
  boolean,
  callback,
  type Check,
  either,
  fields,
  having,
  listOf,
  manifest,
  number,
  object,
  passing,
  recordOf,
  required,
  text,
} from './checks.ts';
import { invalidOption } from './option-error.ts';
import { storage } from './storage-check.ts';

const { port, count, requests } = numberRules;
const authorizer = having('authorize');
const pair = required(['certPem', 'keyPem'], fields({ certPem: text, keyPem: text }));

const authorizationMode: Check = (value, option) => {
  if (typeof value !== 'string') return authorizer(value, option);
  if (authorizationModes.some((mode) => mode === value)) return;
  const reason = `"${value}" is no authorization mode: they are ${authorizationModes.join(', ')}`;
  throw invalidOption(option, value, reason);
};

const certificates = required(
  ['ca', 'server', 'admin'],
  fields({ ca: pair, server: pair, admin: pair, clientCaPem: text, serverCaPem: text }),
);

const listen = fields({
  host: text,
  port: number(port),
  tls: either(certificates, (value) => typeof value === 'boolean'),
  certificateHosts: listOf(text),
});

const selectors = fields({
  indexes: boolean,
  setBasedFieldSelectors: boolean,
  selectableArrayPaths: boolean,
  celFilters: boolean,
  selectableFieldsMax: number(numberRules.fields),
});

const serviceAccounts = fields({
  issuers: listOf(text),
  audiences: listOf(text),
  jwksUri: text,
  maxExpirationSeconds: number(requests),
  defaultAccounts: boolean,
});

const featureGates = passing((value) => {
  for (const [name, on] of Object.entries(Object(value))) {
    parseFeatureGates(`${name.replaceAll(/[,=]/g, ' ')}=${on}`);
  }
}, recordOf(boolean));

const services = passing((value) => {
  parseServiceMap(Object.entries(Object(value)).map(([service, url]) => `${service}=${url}`));
}, recordOf(text));

const webhook = required(['name', 'phase', 'admit'], object);
const controllers = passing((value) => checkControllerNames(strings(value)), listOf(text));
const plugins = (side: 'enabled' | 'disabled') =>
  passing((value) => checkPluginChoice({ [side]: strings(value) }), listOf(text));
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** All options with their checks. The type ensures that the table is complete. */
const checks: Readonly<Record<keyof ServerOptions, Check>> = {
  storage,
  listen: either(listen, (value) => value === false),
  crds: listOf(manifest),
  objects: listOf(manifest),
  openapi: listOf(manifest),
  serviceClusterIpRange: text,
  kubernetesService: boolean,
  featureGates,
  selectors,
  enableAdmissionPlugins: plugins('enabled'),
  disableAdmissionPlugins: plugins('disabled'),
  disableControllers: controllers,
  simulate: either(fields({ stages: listOf(manifest) }), (value) => typeof value === 'boolean'),
  signCertificates: boolean,
  disruptionBudgets: boolean,
  services,
  serviceAccounts,
  anonymousAuth: boolean,
  console: boolean,
  authorizationModes: listOf(authorizationMode),
  authorizer,
  clock: having('now'),
  timers: having('after', 'every'),
  priorityAndFairness: boolean,
  maxRequestsInFlight: number(requests),
  maxMutatingRequestsInFlight: number(requests),
  requestTimeoutMs: number(requests),
  compactionIntervalMs: number(count),
  leaderElection: fields({
    leaseMs: number(requests),
    renewDeadlineMs: number(requests),
    retryMs: number(requests),
  }),
  slowRequests: required(['fromMs', 'onSlow'], fields({ fromMs: number(count), onSlow: callback })),
  conversions: recordOf(callback),
  webhooks: listOf(webhook),
  onTrouble: callback,
};

const fixed: Readonly<Record<FixedOption, true>> = {
  storage: true,
  featureGates: true,
  openapi: true,
  serviceClusterIpRange: true,
  kubernetesService: true,
  conversions: true,
  webhooks: true,
};

const forkChecks = Object.fromEntries(Object.entries(checks).filter(([name]) => !Object.hasOwn(fixed, name)));

/** @throws {OptionError} for an unknown option, and for a value that the corresponding flag would refuse too */
export const checkServerOptions = (options: unknown): void => fields(checks)(options, '');

/** Like {@link checkServerOptions}, for a fork, which does not have all of them. */
export const checkForkOptions = (options: unknown): void => fields(forkChecks)(options, '');

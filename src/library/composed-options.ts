import { Faults, faultsEndpoint } from '../faults/index.ts';
import type { LoadedDocument } from '../manifests/index.ts';
import { type Clock, parseFeatureGates, type Timers } from '../meta/index.ts';
import { playgroundEndpoint } from '../playground/index.ts';
import { type ServerOptions as ComposedOptions, defaultListen, parseStages } from '../server.ts';
import type { AdmissionFunctions } from './admission-functions.ts';
import type { ConversionEndpoint } from './conversion-endpoint.ts';
import { type ReadObject, readCrds, readManifests } from './read-manifests.ts';
import { readOpenApiDocuments } from './read-openapi-documents.ts';
import type { ServerOptions } from './server-options.ts';

/** The options that forks inherit. */
export interface Inherited {
  readonly conversions: ConversionEndpoint | undefined;
  readonly admission: AdmissionFunctions;
}

/** The options of the composition root, and where they were read from. */
export interface ReadOptions {
  readonly composed: ComposedOptions;
  readonly faults: Faults;
  readonly given: readonly ReadObject[];
  readonly documents: readonly LoadedDocument[];
}

/** Reads files, and adds faults and functions as filters of requests and webhooks. @throws {LoadError} for a file */
export async function composedOptions(
  options: ServerOptions,
  { conversions, admission }: Inherited,
): Promise<ReadOptions> {
  const crds = await readCrds(options.crds ?? []);
  const objects = await readManifests(options.objects ?? []);
  const simulate = await simulationOf(options);
  const documents = await readOpenApiDocuments(options.openapi ?? []);
  // The CRDs contain the address of the endpoint.
  await conversions?.acquire();
  const faults = new Faults();
  const { conversions: _, webhooks = [], listen, featureGates, clock, simulate: __, ...rest } = options;
  const configurations = webhooks.length === 0 ? [] : admission.configurations;
  const gates = featureGates && gatesOf(featureGates);
  const composed = {
    ...rest,
    ...(listen !== undefined && { listen: listen && { ...defaultListen, ...listen } }),
    ...(gates && { featureGates: gates }),
    ...(clock && { clock }),
    ...(simulate !== undefined && { simulate }),
    ...(clock && hasTimers(clock) && options.timers === undefined && { timers: clock }),
    crds: crds.map(({ object }) => conversions?.wired(object) ?? object),
    objects: [...objects.map(({ object }) => object), ...configurations],
    openapi: documents.map(({ document }) => document),
    filters: [
      ...(options.console === true ? [playgroundEndpoint(gates), faultsEndpoint(faults)] : []),
      faults.filter,
    ],
    webhookFilters: [faults.webhooks, admission.filter],
  };
  return { composed, faults, given: [...crds, ...objects], documents };
}

/** @throws {LoadError} for a file, {@link StageError} for a Stage that is invalid or not supported */
async function simulationOf({ simulate }: ServerOptions): Promise<ComposedOptions['simulate']> {
  if (typeof simulate !== 'object') return simulate;
  return { stages: parseStages(await readManifests(simulate.stages ?? [])) };
}

const gatesOf = (gates: NonNullable<ServerOptions['featureGates']>) =>
  parseFeatureGates(
    Object.entries(gates)
      .filter(([, on]) => on !== undefined)
      .map(([name, on]) => `${name}=${on}`)
      .join(','),
  );

/** A clock under manual control, such as a FakeClock, also runs its timers. */
function hasTimers(clock: Clock & Partial<Timers>): clock is Clock & Timers {
  return typeof clock.after === 'function' && typeof clock.every === 'function';
}

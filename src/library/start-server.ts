import { nameOf } from '../meta/index.ts';
import { startServer as startComposed } from '../server.ts';
import { AdmissionFunctions } from './admission-functions.ts';
import { checkServerOptions } from './check-options/check-options.ts';
import { composedOptions } from './composed-options.ts';
import { ConversionEndpoint } from './conversion-endpoint.ts';
import type { IlkServer } from './ilk-server.ts';
import { started } from './library-server.ts';
import { readCrds } from './read-manifests.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Starts a server in this process: in memory, plain HTTP on a free port, with all CRDs established. Internal errors
 * are written to the console, unless `onTrouble` is given.
 *
 * ```ts
 * await using server = await startServer({ crds: ['config/crd'], objects: ['test/fixtures'] });
 * const answer = await server.fetch('/apis/example.com/v1/widgets');
 * ```
 *
 * @throws {OptionError} for an unknown option, and for an invalid value
 * @throws {LoadError} for a file that is not a manifest, or contains an object that is refused
 * @throws {StatusError} for another object that is refused
 * @throws {StoreError} `refused` for a data folder that cannot be used, `unavailable` for a database that cannot be
 * reached
 */
export async function startServer(options: ServerOptions = {}): Promise<IlkServer> {
  checkServerOptions(options);
  const admission = new AdmissionFunctions(options.webhooks ?? []);
  const inherited = { admission, conversions: await openConversions(options) };
  const read = await composedOptions({ ...options, onTrouble: options.onTrouble ?? tellConsole }, inherited);
  return started(startComposed(read.composed), read, inherited);
}

/** @throws {Error} for a conversion function without a CRD */
async function openConversions({
  conversions,
  crds = [],
}: ServerOptions): Promise<ConversionEndpoint | undefined> {
  if (conversions === undefined) return undefined;
  const given = new Set((await readCrds(crds)).map(({ object }) => nameOf(object)));
  const missing = Object.keys(conversions).find((name) => !given.has(name));
  if (missing !== undefined) throw new Error(`conversions: there is no CRD "${missing}" among crds`);
  return ConversionEndpoint.start(conversions);
}

function tellConsole(error: unknown): void {
  console.error('ilk:', error);
}

import { delimiter } from 'node:path';
import { loadOpenApiDocument, ofFlag } from '../../manifests/index.ts';
import { startServer } from '../../server.ts';
import { closeOnSignal } from '../close-on-signal.ts';
import { faultFilters } from '../flags/fault-filters.ts';
import { makeLog } from '../log.ts';
import { readApiServerOptions } from './api-server-options.ts';

/** Serves like kube-apiserver, with its command line, until a signal. */
export async function runKubeApiserver(args: readonly string[]): Promise<void> {
  const { server: asked, faultInjection, logFormat, verbosity, ignored } = await readApiServerOptions(args);
  const log = makeLog({ format: logFormat, verbosity });
  if (ignored.length > 0) log.warn(`these flags of kube-apiserver mean nothing here: ${ignored.join(', ')}`);
  const server = await startServer({
    ...asked,
    ...(await documentsOf(process.env)),
    ...(faultInjection ? faultFilters() : {}),
    onTrouble: (error) => log.error({ err: error }, error instanceof Error ? error.message : String(error)),
  });
  log.info(`ilk is serving in kube-apiserver's place on ${server.url}`);
  await closeOnSignal(server, log);
}

/**
 * Kinds from OpenAPI documents, as with `--openapi` of `ilk serve`. Harnesses cannot pass that flag, so the files are
 * in ILK_OPENAPI, separated like PATH.
 */
async function documentsOf(env: Readonly<Record<string, string | undefined>>) {
  const files = (env['ILK_OPENAPI'] ?? '').split(delimiter).filter((file) => file !== '');
  const documents = await Promise.all(
    files.map((file) => ofFlag('ILK_OPENAPI', file, loadOpenApiDocument(file))),
  );
  return { openapi: documents.map(({ document }) => document) };
}

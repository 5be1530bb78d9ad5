import type { Authorizer } from '../auth/index.ts';
import type { DefinitionsEndpoint } from '../definitions/index.ts';
import type { RequestFilter } from '../http/index.ts';
import type { Registry } from '../registry/index.ts';

/** Answers below `/ilk/v1/definitions/`; the code is loaded when the first report is asked for. */
export function definitionReports(registry: Registry, authorizer: Authorizer): RequestFilter {
  let endpoint: DefinitionsEndpoint | undefined;
  return async ({ http, user }, next) => {
    if (!http.path.startsWith('/ilk/v1/definitions/')) return next();
    const { DefinitionsEndpoint } = await import('../definitions/index.ts');
    endpoint ??= new DefinitionsEndpoint({ registry, authorizer });
    return endpoint.respond(http, user);
  };
}

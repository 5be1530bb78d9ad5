import { endpointModels } from './models/server-endpoints.ts';
import type { Operation, Operations } from './operations.ts';

function get(
  id: string,
  tag: string,
  { description, model }: { description: string; model: string },
): Operation {
  return {
    method: 'get',
    id,
    tag,
    description,
    subject: undefined,
    parameters: [],
    consumes: ['application/json', 'application/yaml'],
    body: undefined,
    responses: [{ code: 200, text: 'OK', model }],
  };
}

const coreVersions = get('getCoreAPIVersions', 'core', {
  description: 'get the versions of the core group',
  model: endpointModels.apiVersions,
});

const groups = get('getAPIVersions', 'apis', {
  description: 'get the groups that are served',
  model: endpointModels.apiGroupList,
});

const version = get('getCodeVersion', 'version', {
  description: 'get the version of the server',
  model: endpointModels.version,
});

/** The non-resource endpoints, by the name of their document. */
export const serverEndpoints: ReadonlyMap<string, Operations> = new Map([
  ['api', new Map([['/api/', [coreVersions]]])],
  ['apis', new Map([['/apis/', [groups]]])],
  ['version', new Map([['/version/', [version]]])],
]);

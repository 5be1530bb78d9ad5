import type { HttpRequest, HttpResponse } from '../http/index.ts';
import {
  type KubeObject,
  limits,
  notFoundError,
  tooManyRequestsError,
  type UserInfo,
} from '../meta/index.ts';
import { type Registry, targetOf } from '../registry/index.ts';
import { refuseUnlessReadable } from './access.ts';
import { definitionDiff } from './definition-diff.ts';
import type { DefinitionParts, DefinitionRequest } from './definition-parts.ts';
import { gateList } from './gate-list.ts';
import { gatePreview } from './gate-preview.ts';

const definitionsRoot = '/ilk/v1/definitions/';

const crds = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
} as const;

type Report = (request: DefinitionRequest) => Promise<HttpResponse>;

/** By what follows the name of the definition; `*` is a name. A new report is a line here. */
const reports: readonly (readonly [path: string, report: Report])[] = [
  ['gates', gateList],
  ['gates/*', gatePreview],
  ['diff', definitionDiff],
];

/**
 * Serves `/ilk/v1/definitions/NAME/`: see docs/console.md. For users who may use the path and read the
 * definition; a few concurrently, because they read objects and large files.
 */
export class DefinitionsEndpoint {
  readonly #parts: DefinitionParts;
  #running = 0;

  constructor(parts: DefinitionParts) {
    this.#parts = parts;
  }

  /** @throws {StatusError} 403, 404, 405, 429 */
  async respond(http: HttpRequest, user: UserInfo): Promise<HttpResponse> {
    if (this.#running >= limits.definitionReportsMax)
      throw tooManyRequestsError('too many reports about definitions are being made', 1);
    this.#running += 1;
    try {
      return await this.#report(http, user);
    } finally {
      this.#running -= 1;
    }
  }

  async #report(http: HttpRequest, user: UserInfo): Promise<HttpResponse> {
    const [name = '', ...rest] = http.path.slice(definitionsRoot.length).split('/').map(decoded);
    const report = findReport(rest);
    if (report === undefined) throw notFoundError({ group: 'ilk', resource: 'definitions' }, name);
    await refuseUnlessReadable(this.#parts.authorizer, { user, verb: 'get', ...crds, name });
    const crd = await readCrd(this.#parts.registry, name);
    return report({ ...this.#parts, http, user, crd, rest });
  }
}

function findReport(rest: readonly string[]): Report | undefined {
  return reports.find(([path]) => {
    const steps = path.split('/');
    return steps.length === rest.length && steps.every((step, at) => step === '*' || step === rest[at]);
  })?.[1];
}

async function readCrd(registry: Registry, name: string): Promise<KubeObject> {
  const served = await registry.find(crds.group, crds.version, crds.resource);
  const crd = served && (await registry.readStored(targetOf(served, ''), name));
  if (crd === undefined) throw notFoundError(crds, name);
  return crd;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import { indexOfGate, listGates, turnOperations, withTurnedGate } from '../crd/index.ts';
import { type HttpResponse, valueResponse } from '../http/index.ts';
import {
  badRequestError,
  type JsonObject,
  limits,
  methodNotSupportedError,
  nameOf,
  notFoundError,
  own,
  ownObject,
} from '../meta/index.ts';
import { denialOf } from './access.ts';
import type { DefinitionRequest } from './definition-parts.ts';
import { shownGate } from './gate-list.ts';

const resource = { group: 'ilk', resource: 'gates' };

/** What a gate can be set to; undefined leaves it to its default. */
const states: ReadonlyMap<string, boolean | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['default', undefined],
]);

/**
 * `GET .../gates/NAME?enabled=true|false|default`: what would change if the gate were turned, the patch that turns it, and which objects
 * hold its fields, as `kubectl feature-gates --dry-run` says. Nothing is turned.
 *
 * @throws {StatusError} 400, 404, 405
 */
export async function gatePreview(request: DefinitionRequest): Promise<HttpResponse> {
  const { http, crd, rest } = request;
  if (http.method !== 'GET') throw methodNotSupportedError(resource, http.method.toLowerCase());
  const name = rest[1] ?? '';
  const asked = http.query.get('enabled') ?? '';
  if (!states.has(asked)) throw badRequestError('enabled must be true, false or default');
  if (indexOfGate(crd, name) < 0) throw notFoundError(resource, name);
  const enabled = states.get(asked);
  const before = new Map(listGates([crd]).map((gate) => [gate.name, gate.enabled]));
  const after = listGates([withTurnedGate(crd, name, enabled)]);
  const changed = after.filter((gate) => before.get(gate.name) !== gate.enabled);
  const concerned = after.filter((gate) => gate.name === name || changed.includes(gate));
  const value: JsonObject = {
    kind: 'FieldGatePreview',
    apiVersion: 'ilk/v1',
    crd: nameOf(crd),
    gate: name,
    patch: turnOperations(crd, name, enabled),
    changed: changed.map(shownGate),
    objects: await holders(
      request,
      concerned.flatMap(({ fieldPaths }) => fieldPaths),
    ),
  };
  return valueResponse(200, value, { mediaType: 'json', pretty: false });
}

/** The objects that hold fields; only for users who may list them. */
async function holders(
  { registry, authorizer, http, user, crd }: DefinitionRequest,
  fieldPaths: readonly string[],
): Promise<JsonObject> {
  const spec = ownObject(crd, 'spec') ?? {};
  const group = String(own(spec, 'group') ?? '');
  const plural = String(own(ownObject(spec, 'names') ?? {}, 'plural') ?? '');
  const catalog = await registry.freshCatalog();
  const served = catalog.resources.find(({ type }) => type.group === group && type.resource === plural);
  if (served === undefined) return { count: 0, items: [] };
  const version = served.type.storageVersion.name;
  const denial = await denialOf(authorizer, { user, verb: 'list', group, version, resource: plural });
  if (denial !== undefined) return { hidden: denial };
  const { count, first } = await registry.fieldHolders(served, {
    fieldPaths,
    firstMax: limits.gatePreviewObjectsMax,
    signal: http.signal,
  });
  return {
    count,
    items: first.map(({ fieldPaths: held, ...place }) => ({ ...place, fieldPaths: [...held] })),
  };
}

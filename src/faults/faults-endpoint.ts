import { DecodeError, decodeJson } from '../codec/index.ts';
import {
  badRequestError,
  isObject,
  type JsonObject,
  methodNotSupportedError,
  notFoundError,
} from '../meta/index.ts';
import { type HttpRequest, type HttpResponse, type RequestFilter, valueResponse } from '../http/index.ts';
import type { AddedFault, Faults } from './faults.ts';

const root = '/ilk/v1/faults';
const resource = { group: 'ilk', resource: 'faults' };

/**
 * Manages rules for clients in other languages: `POST /ilk/v1/faults` adds one, `GET` lists them with their counters,
 * `DELETE` removes all, or one by its id. Requires access to the path; the rules do not apply to it.
 */
export function faultsEndpoint(faults: Faults): RequestFilter {
  return async ({ http }, next) => {
    if (http.path !== root && !http.path.startsWith(`${root}/`)) return next();
    return respond(faults, http, http.path.slice(root.length + 1));
  };
}

async function respond(faults: Faults, http: HttpRequest, id: string): Promise<HttpResponse> {
  if (http.method === 'GET') return id === '' ? json(200, list(faults)) : json(200, shown(find(faults, id)));
  if (http.method === 'POST' && id === '') return json(201, shown(faults.addUnchecked(await readRule(http))));
  if (http.method !== 'DELETE') throw methodNotSupportedError(resource, http.method.toLowerCase());
  if (id === '') faults.clear();
  else find(faults, id).remove();
  return json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
}

function find(faults: Faults, id: string): AddedFault {
  const rule = faults.rules.find((one) => one.id === id);
  if (rule === undefined) throw notFoundError(resource, id);
  return rule;
}

async function readRule(http: HttpRequest): Promise<JsonObject> {
  try {
    const { value } = decodeJson(await http.body());
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequestError(`the rule is not JSON: ${error.message}`);
  }
  throw badRequestError('a rule is a JSON object');
}

function list(faults: Faults): JsonObject {
  return { kind: 'FaultRuleList', apiVersion: 'ilk/v1', items: faults.rules.map(shown) };
}

function shown({ id, rule, seen, hits }: AddedFault): JsonObject {
  // A FaultRule consists of JSON values.
  return { id, seen, hits, rule: rule as unknown as JsonObject };
}

function json(status: number, value: JsonObject): HttpResponse {
  return valueResponse(status, value, { mediaType: 'json', pretty: false });
}

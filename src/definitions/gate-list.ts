import { type ListedGate, listGates } from '../crd/index.ts';
import { type HttpResponse, valueResponse } from '../http/index.ts';
import { type JsonObject, methodNotSupportedError } from '../meta/index.ts';
import type { DefinitionRequest } from './definition-parts.ts';

/** `GET .../gates`: the gates of a definition and their state, as `kubectl feature-gates` lists them. */
export async function gateList({ http, crd }: DefinitionRequest): Promise<HttpResponse> {
  if (http.method !== 'GET')
    throw methodNotSupportedError({ group: 'ilk', resource: 'gates' }, http.method.toLowerCase());
  const value = { kind: 'FieldGateList', apiVersion: 'ilk/v1', items: listGates([crd]).map(shownGate) };
  return valueResponse(200, value, { mediaType: 'json', pretty: false });
}

/** A gate as JSON, without absent fields. */
export function shownGate(gate: ListedGate): JsonObject {
  const { name, component, preRelease, enabled, fieldPaths, set, disabledBy, deprecationWarning } = gate;
  return {
    name,
    component,
    stage: preRelease,
    default: gate.default,
    enabled,
    fieldPaths: [...fieldPaths],
    ...(set === undefined ? {} : { set }),
    ...(disabledBy === undefined ? {} : { disabledBy }),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
  };
}

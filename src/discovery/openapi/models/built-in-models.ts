import { isObject, type JsonObject } from '../../../meta/index.ts';
import { apiextensionsV1 } from './apiextensions-v1.ts';
import { autoscalingV1 } from './autoscaling-v1.ts';
import { metaV1 } from './meta-v1.ts';
import { refTarget } from './notation.ts';
import { podRequests } from './pods.ts';
import { serverEndpointModels } from './server-endpoints.ts';

/** All built-in models, by name. A new API is one file and one line here. */
export const builtInModels: ReadonlyMap<string, JsonObject> = new Map(
  [metaV1, autoscalingV1, apiextensionsV1, podRequests, serverEndpointModels].flatMap((models) =>
    Object.entries(models).flatMap(([name, model]) => (isObject(model) ? [[name, model] as const] : [])),
  ),
);

/** These models, and all that they reference. */
export function withReferencedModels(names: Iterable<string>): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const model = builtInModels.get(name);
    if (model === undefined || found.has(name)) continue;
    found.set(name, model);
    waiting.push(...targetsIn(model));
  }
  return found;
}

/** Built-in models contain no user data, so every `$ref` is a reference. */
function targetsIn(schema: JsonObject): string[] {
  const target = refTarget(schema);
  if (target !== undefined) return [target];
  return Object.values(schema)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => (isObject(value) ? targetsIn(value) : []));
}

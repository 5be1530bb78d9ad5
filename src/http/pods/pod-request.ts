import type { ResourceType } from '../../crd/index.ts';
import {
  badRequestError,
  type CreateOptions,
  type KubeObject,
  metadataString,
  parseCreateOptions,
  routeMethodError,
  type UserInfo,
} from '../../meta/index.ts';
import {
  type AdmittedCreate,
  type Registry,
  type RequestBodies,
  type RequestBody,
  type RequestContext,
  type Target,
  targetOf,
  type Warnings,
} from '../../registry/index.ts';
import { bodyFormat } from '../content-type.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';
import type { ResourcePath } from '../request-info.ts';
import type { AdmissionLog } from '../request-log.ts';
import { statusResponse } from '../responses.ts';
import { virtualRequestContext } from '../request-context/virtual-request-context.ts';

/** The dependencies of requests about pods. */
export interface PodRequestParts {
  readonly registry: Registry;
  readonly warnings: Warnings;
  readonly user: UserInfo;
  readonly admissionLog: AdmissionLog | undefined;
}

/** A decoded and admitted request about a pod. */
export interface PodRequest {
  readonly registry: Registry;
  readonly path: ResourcePath;
  readonly object: KubeObject;
  readonly options: CreateOptions;
  readonly context: RequestContext;
  readonly validate: AdmittedCreate['validate'];
}

/** A virtual resource of pods: its body type and its action. */
export interface PodRequestKind {
  readonly type: ResourceType;
  /** Decodes the body in its other versions. */
  readonly convert?: (body: RequestBody, bodies: RequestBodies) => Promise<RequestBody>;
  run(request: PodRequest): Promise<void>;
}

/**
 * Responds to a POST for a pod with a Status.
 *
 * @throws {StatusError} 400, 404, 405 for other methods, 409, 415, 422, 429
 */
export async function podResponse(
  http: HttpRequest,
  path: ResourcePath,
  { kind, parts }: { readonly kind: PodRequestKind; readonly parts: PodRequestParts },
): Promise<HttpResponse> {
  if (http.method !== 'POST') throw routeMethodError();
  const { registry, warnings } = parts;
  const options = parseCreateOptions(http.query);
  const context = virtualRequestContext(http, parts);
  const format = bodyFormat(http.header('content-type'), { protobuf: true });
  const body: RequestBody = { bytes: await http.body(), format };
  const { fieldValidation } = options;
  const { bodies } = registry;
  const converted = (await kind.convert?.(body, bodies)) ?? body;
  const object = await bodies.accepted(kind.type, converted, { fieldValidation, context: { warnings } });
  http.onObject?.(object);
  const namespace = metadataString(object, 'namespace') ?? '';
  if (namespace !== '' && namespace !== path.namespace) throw badRequestError(otherNamespace);
  const admitted = await admit(object, { kind, path, options, context, registry });
  const { validate } = admitted;
  await kind.run({ registry, path, object: admitted.object, options, context, validate });
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;
  return statusResponse(status, 201, http);
}

const otherNamespace =
  'the namespace of the provided object does not match the namespace sent on the request';

/** The pods of a namespace, or other core objects. @throws {StatusError} 404 if they are not served */
export async function findTarget(
  registry: Registry,
  name: { readonly group: string; readonly version: string; readonly resource: string },
  namespace: string,
): Promise<Target> {
  const found = await registry.findLatest(name, { toRead: false });
  if (found === undefined) throw badRequestError(`${name.resource} are not served`);
  return targetOf(found, namespace, found.freshness);
}

export const podsName = Object.freeze({ group: '', version: 'v1', resource: 'pods' });

interface Unadmitted extends Pick<PodRequest, 'registry' | 'path' | 'options' | 'context'> {
  readonly kind: PodRequestKind;
}

async function admit(
  object: KubeObject,
  { kind, path, options, context, registry }: Unadmitted,
): Promise<AdmittedCreate> {
  const { group, kind: name, storageVersion } = kind.type;
  return registry.admitUnstored({
    target: await findTarget(registry, podsName, path.namespace),
    resource: path.resource,
    subresource: path.subresource,
    name: path.name,
    kind: { group, version: storageVersion.name, kind: name },
    object,
    options,
    context,
  });
}

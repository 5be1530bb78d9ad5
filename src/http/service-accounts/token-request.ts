import { type AccountIssuer, type BoundKind, boundKinds, type ClaimedObject } from '../../auth/index.ts';
import {
  badRequestError,
  conflictError,
  ensureMetadata,
  type FieldError,
  formatTime,
  invalid,
  invalidError,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  routeMethodError,
  notFoundError,
  own,
  ownObject,
  ownString,
  parseGroupVersion,
  parseCreateOptions,
  stringList,
  type UserInfo,
} from '../../meta/index.ts';
import { type AdmittedCreate, type Registry, targetOf, type Warnings } from '../../registry/index.ts';
import { bodyFormat } from '../content-type.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';
import { negotiate } from '../negotiate.ts';
import type { AdmissionLog } from '../request-log.ts';
import type { ResourcePath } from '../request-info.ts';
import { valueResponse, wantsPretty } from '../responses.ts';
import { virtualRequestContext } from '../request-context/virtual-request-context.ts';

const kind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } as const;
const apiVersion = `${kind.group}/${kind.version}`;

/** As in discovery. */
export const tokenRequestResource = Object.freeze({
  group: '',
  version: 'v1',
  resource: 'serviceaccounts/token',
  kind: kind.kind,
  namespaced: true,
  kindGroup: { group: kind.group, version: kind.version },
});

/** Upstream's default and limits, in seconds. */
const lifetime = { usual: 3600, min: 600, max: 2 ** 32 };

/** True for `.../serviceaccounts/NAME/token`. */
export function isTokenRequest({ group, version, resource, subresource, namespace }: ResourcePath): boolean {
  return (
    group === '' &&
    version === 'v1' &&
    resource === 'serviceaccounts' &&
    subresource === 'token' &&
    namespace !== ''
  );
}

interface TokenRequestParts {
  readonly registry: Registry;
  readonly issuer: AccountIssuer;
  readonly warnings: Warnings;
  readonly user: UserInfo;
  readonly admissionLog: AdmissionLog | undefined;
}

/**
 * Issues a service account token: `kubectl create token`.
 * Source: kubernetes, pkg/registry/core/serviceaccount/storage/token.go.
 *
 * @throws {StatusError} 400, 404, 405, 406, 409, 415, 422
 */
export async function tokenResponse(
  http: HttpRequest,
  path: ResourcePath,
  parts: TokenRequestParts,
): Promise<HttpResponse> {
  if (http.method !== 'POST') throw routeMethodError();
  const { mediaType, pretty } = negotiate(http.header('accept'), {
    mediaTypes: ['json', 'yaml', 'protobuf'],
    transforms: [],
  });
  const format = bodyFormat(http.header('content-type'), { protobuf: true });
  const expected = { kind: kind.kind, apiVersion, isDefault: true };
  const { object } = await parts.registry.bodies.object({ bytes: await http.body(), format }, expected);
  const spec = ownObject(object, 'spec') ?? {};
  object['spec'] = { ...spec, expirationSeconds: own(spec, 'expirationSeconds') ?? lifetime.usual };
  const admitted = await admit(object, { http, path, parts });
  const request = new TokenRequest(admitted.object, path, parts);
  const answer = await request.answer(admitted.validate);
  return valueResponse(201, answer, { mediaType, pretty: pretty || wantsPretty(http) });
}

interface Asked {
  readonly http: HttpRequest;
  readonly path: ResourcePath;
  readonly parts: TokenRequestParts;
}

/** Webhooks and policies see it as a create of `serviceaccounts/token`. */
async function admit(object: KubeObject, { http, path, parts }: Asked) {
  const { registry } = parts;
  const accounts = registry.catalog.find('', 'v1', 'serviceaccounts');
  if (accounts === undefined) return { object, validate: async () => {} };
  const context = virtualRequestContext(http, parts);
  const { name, namespace, subresource } = path;
  const options = parseCreateOptions(http.query);
  const target = targetOf(accounts, namespace);
  return registry.admitUnstored({ target, subresource, name, kind, object, options, context });
}

/** One request for a token. */
class TokenRequest {
  readonly #asked: KubeObject;
  readonly #path: ResourcePath;
  readonly #parts: TokenRequestParts;
  readonly #spec: JsonObject;

  constructor(asked: KubeObject, path: ResourcePath, parts: TokenRequestParts) {
    this.#asked = asked;
    this.#path = path;
    this.#parts = parts;
    this.#spec = ownObject(asked, 'spec') ?? {};
  }

  /** @param validate is called with the request after account and audiences are known */
  async answer(validate: AdmittedCreate['validate']): Promise<JsonObject> {
    const { namespace, name } = this.#path;
    this.#checkPlace();
    const account = await this.#find('serviceaccounts', namespace, name);
    const uid = metadataString(account, 'uid') ?? '';
    this.#checkAccountUid(uid);
    const seconds = this.#expirationSeconds();
    await validate(this.#completed(uid));
    const reference = ownObject(this.#spec, 'boundObjectRef');
    const bound = reference === undefined ? {} : await this.#bound(reference);
    const audiences = this.#audiences();
    const lifetimeSeconds = this.#shortened(seconds);
    const { token, claims } = await this.#parts.issuer.issue({
      namespace,
      account: { name, uid },
      bound,
      audiences,
      lifetimeSeconds,
    });
    const metadata = { name, namespace, uid, creationTimestamp: formatTime(claims.issuedAt * 1000) };
    const bindTo = reference === undefined ? {} : { boundObjectRef: reference };
    const spec = { audiences: [...audiences], expirationSeconds: lifetimeSeconds, ...bindTo };
    const expirationTimestamp = formatTime((claims.issuedAt + lifetimeSeconds) * 1000);
    return {
      kind: kind.kind,
      apiVersion,
      metadata: { ...metadataOf(this.#asked), ...metadata },
      spec,
      status: { token, expirationTimestamp },
    };
  }

  #audiences(): readonly string[] {
    const asked = stringList(own(this.#spec, 'audiences'));
    return asked.length === 0 ? this.#parts.issuer.options.audiences : asked;
  }

  /** As seen by validating admission. */
  #completed(uid: string): KubeObject {
    const { namespace, name } = this.#path;
    const metadata = { ...metadataOf(this.#asked), name, namespace, uid };
    const spec = { ...this.#spec, audiences: [...this.#audiences()] };
    return { ...this.#asked, metadata, spec };
  }

  #checkPlace(): void {
    const places = [
      ['name', this.#path.name],
      ['namespace', this.#path.namespace],
    ] as const;
    for (const [field, wanted] of places) {
      const given = metadataString(this.#asked, field) ?? '';
      if (given === '' || given === wanted) continue;
      const error = invalid(
        `metadata.${field}`,
        given,
        `must match the service account ${field} if specified`,
      );
      throw invalidError(kind, this.#path.name, [error]);
    }
  }

  #checkAccountUid(uid: string): void {
    const given = metadataString(this.#asked, 'uid') ?? '';
    if (given === '' || given === uid) return;
    const why = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
    throw conflictError({ group: kind.group, resource: kind.kind }, this.#path.name, why);
  }

  #expirationSeconds(): number {
    const given = own(this.#spec, 'expirationSeconds') ?? lifetime.usual;
    const seconds = typeof given === 'number' ? given : Number(given);
    const fault = lifetimeFault(seconds);
    if (fault !== undefined) throw invalidError(kind, '', [fault]);
    return seconds;
  }

  #shortened(seconds: number): number {
    const { maxExpirationSeconds: max } = this.#parts.issuer.options;
    if (max === undefined || seconds <= max) return seconds;
    this.#parts.warnings.add(`requested expiration of ${seconds} seconds shortened to ${max} seconds`);
    return max;
  }

  async #bound(reference: JsonObject): Promise<Partial<Record<BoundKind, ClaimedObject>>> {
    const [refKind = '', name = '', refVersion = '', uid = ''] = ['kind', 'name', 'apiVersion', 'uid'].map(
      (key) => ownString(reference, key),
    );
    const { group, version } = parseGroupVersion(refVersion) ?? { group: '', version: '' };
    const known = boundKinds.find((one) => one === refKind);
    if (group !== '' || known === undefined) {
      const gvk = `${group === '' ? '' : group}/${version}, Kind=${refKind}`;
      throw badRequestError(`cannot bind token to object of type ${gvk}`);
    }
    const object = await this.#find(
      `${known.toLowerCase()}s`,
      known === 'Node' ? '' : this.#path.namespace,
      name,
    );
    const node = known === 'Pod' ? await this.#nodeOf(object) : {};
    const claimed = { name, uid: metadataString(object, 'uid') ?? '' };
    if (uid !== '' && uid !== claimed.uid) {
      const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
      throw conflictError({ group: '', resource: refKind }, name, why);
    }
    return { ...node, [known]: claimed };
  }

  /** The token contains the pod's node; only its name if the node does not exist. */
  async #nodeOf(pod: KubeObject): Promise<{ Node?: ClaimedObject }> {
    const spec = ownObject(pod, 'spec') ?? {};
    if ((ownString(spec, 'serviceAccountName') ?? '') !== this.#path.name) {
      throw badRequestError(
        `cannot bind token for serviceaccount "${this.#path.name}" to pod running with different serviceaccount name.`,
      );
    }
    const name = ownString(spec, 'nodeName') ?? '';
    if (name === '') return {};
    const node = await this.#read('nodes', '', name);
    return { Node: { name, uid: (node && metadataString(node, 'uid')) ?? '' } };
  }

  async #find(resource: string, namespace: string, name: string): Promise<KubeObject> {
    const found = await this.#read(resource, namespace, name);
    if (found === undefined) throw notFoundError({ group: '', resource }, name);
    ensureMetadata(found);
    return found;
  }

  async #read(resource: string, namespace: string, name: string): Promise<KubeObject | undefined> {
    const { registry } = this.#parts;
    const served = registry.catalog.find('', 'v1', resource);
    return served && registry.readStored(targetOf(served, namespace), name);
  }
}

/** Source: kubernetes, pkg/apis/authentication/validation/validation.go. */
function lifetimeFault(seconds: number): FieldError | undefined {
  const path = 'spec.expirationSeconds';
  if (!(seconds >= lifetime.min))
    return invalid(path, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > lifetime.max)
    return invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds');
  return undefined;
}

import {
  formatTime,
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../meta/index.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { CertificateSpec, ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const requests = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
const fieldManager = 'certificate-controller';

/**
 * Signs CertificateSigningRequests that are approved; those that their signer refuses fail.
 * Source: kubernetes, pkg/controller/certificates.
 */
export function runCertificateSigning(parts: ControllerParts): RunningController {
  const { registry, signal } = parts;
  const onTrouble = (error: unknown) => {
    if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
  };
  const queue = new WorkQueue({
    work: (name) => sign(parts, name),
    retryMsMin: 200,
    retryMsMax: 1_000_000,
    workersMax: 5,
    onTrouble,
  });
  const following = follow({
    registry,
    findTarget: () => servedTarget(registry, requests),
    signal,
    onTrouble: parts.onTrouble,
    onChange: ({ type, object }) => {
      if (type !== 'DELETED' && isWaiting(object)) queue.add(nameOf(object));
    },
  });
  return {
    done: following.done.then(() => queue.close()),
    idleState: () => (queue.idle ? following.rest() : undefined),
  };
}

/** Approved, and neither signed nor given up. */
function isWaiting(request: KubeObject): boolean {
  const status = statusOf(request);
  const conditions = (ownList(status, 'conditions') ?? []).filter(isObject);
  const has = (type: string) => conditions.some((one) => own(one, 'type') === type);
  const isSigned = (ownString(status, 'certificate') ?? '') !== '';
  return has('Approved') && !has('Denied') && !has('Failed') && !isSigned;
}

const statusOf = (request: KubeObject): JsonObject => ownObject(request, 'status') ?? {};

async function sign(parts: ControllerParts, name: string): Promise<void> {
  const { registry, signal, signCertificate } = parts;
  const context = controllerContext(fieldManager, signal);
  const target = objectTargetOf(await servedTarget(registry, requests), name);
  const request = (await registry.get({ target, resourceVersion: '', context })).object();
  if (!isWaiting(request)) return;
  const outcome = await signCertificate(specOf(request));
  if (outcome === undefined) return;
  const status =
    'certificate' in outcome
      ? { ...statusOf(request), certificate: Buffer.from(outcome.certificate).toString('base64') }
      : failed(statusOf(request), { message: outcome.failure, now: formatTime(parts.clock.now()) });
  const endpoint = { ...target, endpoint: 'status' } as const;
  const options = { dryRun: false, fieldManager, fieldValidation: 'Ignore' } as const;
  await registry.update({ target: endpoint, body: bodyOf({ ...request, status }), options, context });
}

function specOf(request: KubeObject): CertificateSpec {
  const spec = ownObject(request, 'spec') ?? {};
  const seconds = own(spec, 'expirationSeconds');
  return {
    signerName: ownString(spec, 'signerName') ?? '',
    request: Buffer.from(ownString(spec, 'request') ?? '', 'base64').toString('latin1'),
    usages: stringList(own(spec, 'usages')),
    expirationSeconds: typeof seconds === 'number' ? seconds : undefined,
  };
}

function failed(
  status: JsonObject,
  { message, now }: { readonly message: string; readonly now: string },
): JsonObject {
  const reason = 'SignerValidationFailure';
  const condition = { type: 'Failed', status: 'True', reason, message, lastUpdateTime: now };
  return { ...status, conditions: [...(ownList(status, 'conditions') ?? []), condition] };
}

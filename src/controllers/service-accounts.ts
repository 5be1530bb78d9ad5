import { type KubeObject, metadataOf, metadataString, nameOf, ownString } from '../meta/index.ts';
import { bodyOf, controllerContext, isAlreadyExists, isNotFound, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import type { IdleState, RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
const accountName = 'default';
const fieldManager = 'serviceaccount-controller';
const createOptions = { dryRun: false, fieldManager, fieldValidation: 'Ignore' } as const;

/**
 * Keeps the ServiceAccount `default` in each namespace that is not going away.
 * Source: kubernetes, pkg/controller/serviceaccount/serviceaccounts_controller.go.
 */
export function runServiceAccounts(parts: ControllerParts): RunningController {
  const { registry, signal, onTrouble } = parts;
  const queue = new WorkQueue({ work: (name) => ensureAccount(parts, name), workersMax: 5, onTrouble });
  const all = { registry, signal, onTrouble };
  const followed = [
    follow({
      ...all,
      findTarget: () => servedTarget(registry, namespaces),
      onChange: ({ type, object }) => {
        if (type !== 'DELETED' && isActive(object)) queue.add(nameOf(object));
      },
    }),
    follow({
      ...all,
      findTarget: () => servedTarget(registry, accounts),
      onChange: ({ type, object }) => {
        if (type === 'DELETED' && nameOf(object) === accountName)
          queue.add(metadataString(object, 'namespace') ?? '');
      },
    }),
  ];
  return {
    done: Promise.all(followed.map(({ done }) => done)).then(() => queue.close()),
    // In a fork it follows both collections again: a rest is of one.
    idleState: (): IdleState | undefined => undefined,
  };
}

function isActive(namespace: KubeObject): boolean {
  return ownString(metadataOf(namespace), 'deletionTimestamp') === undefined;
}

async function ensureAccount({ registry, signal }: ControllerParts, namespace: string): Promise<void> {
  const context = controllerContext(fieldManager, signal);
  const spaces = await servedTarget(registry, namespaces);
  const found = await registry.readStored(spaces, namespace);
  if (found === undefined || !isActive(found)) return;
  const target = await servedTarget(registry, accounts, namespace);
  if ((await registry.readStored(target, accountName)) !== undefined) return;
  const body = bodyOf({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: accountName, namespace },
  });
  try {
    await registry.create({ target, body, options: createOptions, context });
  } catch (error) {
    // Another writer was faster, or the namespace is deleted.
    if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
  }
}

export { installCrds } from './install-crds.ts';
export { seedObjects, targetOfObject } from './seed-objects.ts';
export { restoreObject, type RestoreOptions } from './restore-object.ts';
export { RestoredUids } from './restored-uids.ts';
export { ensureSystemNamespaces, systemNamespaces } from './system-namespaces.ts';
export { ensureKubernetesService } from './kubernetes-service.ts';
export { type FlowControlParts, runFlowControl } from './flow-control.ts';
export {
  controllerNames,
  type Controllers,
  type ControllersOptions,
  startControllers,
} from './controllers.ts';
export type { IdleState } from './idle-state.ts';
export {
  controllersLease,
  startElectedControllers,
} from './leader-election/elected-controllers.ts';
export { defaultElectionTiming, type ElectionTiming } from './leader-election/leader-elector.ts';

export { installCrds } from './install-crds.ts';
export { seedObjects, targetOfObject } from './seed-objects.ts';
export { restoreObject } from './restore-object.ts';
export { RestoredUids } from './restored-uids.ts';
export { ensureSystemPriorityClasses } from './system-priority-classes.ts';
export { ensureSystemNamespaces } from './system-namespaces.ts';
export { ensureKubernetesService } from './kubernetes-service.ts';
export { LocalApiServices } from './local-api-services.ts';
export { runFlowControl } from './flow-control.ts';
export {
  checkControllerNames,
  controllerNames,
  optionalControllers,
  type Controllers,
  type ControllersOptions,
  startControllers,
} from './controllers.ts';
export { parseStages, type Stage } from './stages/index.ts';
export type { SignCertificate } from './controller-parts.ts';
export type { IdleState } from './idle-state.ts';
export { startElectedControllers } from './leader-election/elected-controllers.ts';
export { defaultElectionTiming, type ElectionTiming } from './leader-election/leader-elector.ts';

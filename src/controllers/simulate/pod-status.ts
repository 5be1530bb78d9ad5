import { type JsonObject, type KubeObject, own, ownObject, ownString } from '../../meta/index.ts';
import type { PodCourse } from './course.ts';
import { objectsIn, specOf, statusOf, withCondition } from './fields.ts';

/** The phase of a pod. */
export type PodStage = 'waiting' | 'running' | 'ended';

/** The inputs of the status of a pod. */
interface StagedPod {
  readonly pod: KubeObject;
  readonly course: PodCourse;
  readonly stage: PodStage;
  /** RFC 3339: now. */
  readonly time: string;
  readonly hostAddress: string;
  readonly podAddress: string;
}

/** The status as a kubelet writes it. */
export function podStatus(staged: StagedPod): JsonObject {
  const { pod, stage, time, hostAddress, podAddress } = staged;
  const old = statusOf(pod);
  const started = ownString(old, 'startTime') ?? time;
  return {
    ...old,
    phase: phaseOf(staged),
    conditions: conditionsOf(staged),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    startTime: started,
    ...(stage !== 'waiting' && { podIP: podAddress, podIPs: [{ ip: podAddress }] }),
    ...statusesOf(staged, 'initContainers'),
    ...statusesOf(staged, 'containers'),
  };
}

function phaseOf({ stage, course }: StagedPod): string {
  if (stage === 'waiting') return 'Pending';
  if (stage === 'running' || course.end === 'CrashLoopBackOff') return 'Running';
  return course.end;
}

const isReadyAt = ({ stage }: StagedPod): boolean => stage === 'running';

function conditionsOf(staged: StagedPod): JsonObject[] {
  const { pod, stage, course, time } = staged;
  const isReady = isReadyAt(staged);
  const ended =
    course.end === 'CrashLoopBackOff'
      ? 'ContainersNotReady'
      : `Pod${course.end === 'Failed' ? 'Failed' : 'Completed'}`;
  const reason = isReady ? {} : { reason: stage === 'ended' ? ended : 'ContainersNotReady' };
  const yes = { status: 'True' };
  const wanted = [
    { type: 'PodScheduled', ...yes },
    { type: 'PodReadyToStartContainers', status: stage === 'waiting' ? 'False' : 'True' },
    { type: 'Initialized', ...yes },
    { type: 'ContainersReady', status: isReady ? 'True' : 'False', ...reason },
    { type: 'Ready', status: readyStatus(staged), ...reason },
  ];
  return wanted.reduce((all, one) => withCondition(all, one, time), objectsIn(statusOf(pod), 'conditions'));
}

/** Readiness gates are conditions that clients set. */
function readyStatus(staged: StagedPod): string {
  const present = objectsIn(statusOf(staged.pod), 'conditions');
  const gates = objectsIn(specOf(staged.pod), 'readinessGates');
  const isOpen = gates.every((gate) =>
    present.some((one) => own(one, 'type') === own(gate, 'conditionType') && own(one, 'status') === 'True'),
  );
  return isReadyAt(staged) && isOpen ? 'True' : 'False';
}

function statusesOf(staged: StagedPod, list: 'containers' | 'initContainers'): JsonObject {
  const containers = objectsIn(specOf(staged.pod), list);
  const name = list === 'containers' ? 'containerStatuses' : 'initContainerStatuses';
  if (containers.length === 0) return {};
  const isInit = list === 'initContainers';
  const before = objectsIn(statusOf(staged.pod), name);
  return {
    [name]: containers.map((container) => {
      const old = before.find((one) => own(one, 'name') === own(container, 'name'));
      const isSidecar = own(container, 'restartPolicy') === 'Always';
      const state =
        isInit && !isSidecar && staged.stage !== 'waiting' ? completed(staged, old) : stateOf(staged, old);
      return containerStatus(container, { staged, state, isInit: isInit && !isSidecar });
    }),
  };
}

function containerStatus(
  container: JsonObject,
  {
    staged,
    state,
    isInit,
  }: { readonly staged: StagedPod; readonly state: JsonObject; readonly isInit: boolean },
): JsonObject {
  const image = ownString(container, 'image') ?? '';
  const isCrashing = staged.stage === 'ended' && staged.course.end === 'CrashLoopBackOff' && !isInit;
  const isRunning = own(state, 'running') !== undefined;
  const isDone = isInit && own(state, 'terminated') !== undefined;
  return {
    name: ownString(container, 'name') ?? '',
    image,
    imageID: isRunning || own(state, 'terminated') !== undefined ? `simulated://${image}` : '',
    ready: isRunning || isDone,
    started: isRunning,
    restartCount: isCrashing ? 1 : 0,
    state,
    lastState: isCrashing ? { terminated: terminated(staged, staged.time) } : {},
  };
}

function stateOf(staged: StagedPod, old: JsonObject | undefined): JsonObject {
  const { stage, course, time } = staged;
  if (stage === 'waiting') return { waiting: { reason: course.waiting ?? 'ContainerCreating' } };
  if (stage === 'running') return { running: { startedAt: startedAt(old) ?? time } };
  if (course.end === 'CrashLoopBackOff') {
    return { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } };
  }
  return { terminated: terminated(staged, startedAt(old) ?? time) };
}

function terminated({ course: { exitCode }, time }: StagedPod, started: string): JsonObject {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: started, finishedAt: time };
}

function completed({ time }: StagedPod, old: JsonObject | undefined): JsonObject {
  const before = ownObject(old ?? {}, 'state') ?? {};
  if (ownObject(before, 'terminated') !== undefined) return before;
  return { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } };
}

function startedAt(old: JsonObject | undefined): string | undefined {
  const state = ownObject(old ?? {}, 'state') ?? {};
  return ownString(ownObject(state, 'running') ?? {}, 'startedAt');
}

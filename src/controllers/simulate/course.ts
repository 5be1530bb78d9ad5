import { type KubeObject, own } from '../../meta/index.ts';
import { annotationOf, specOf } from './fields.ts';

/** The prefix of the annotations of a pod or of its template. */
const prefix = 'simulate.ilk/';

/** The stages of a pod, and when it reaches them. */
export interface PodCourse {
  /** Why its containers do not start, such as `ImagePullBackOff`; it stays Pending. */
  readonly waiting: string | undefined;
  /** From the start of the pod until it is ready. */
  readonly readyAfterMs: number;
  /** The final phase; `Running` if it does not end. */
  readonly end: 'Running' | 'Succeeded' | 'Failed' | 'CrashLoopBackOff';
  /** From ready to its end. */
  readonly endAfterMs: number;
  readonly exitCode: number;
}

/** By default, a pod that is always restarted runs forever, and others succeed at once; annotations change that. */
export function courseOf(pod: KubeObject): PodCourse {
  const says = (name: string) => annotationOf(pod, `${prefix}${name}`);
  const isRestarted = (own(specOf(pod), 'restartPolicy') ?? 'Always') === 'Always';
  const said = says('phase');
  const failed = isRestarted ? 'CrashLoopBackOff' : 'Failed';
  const usual = isRestarted ? 'Running' : 'Succeeded';
  const ends: Record<string, PodCourse['end']> = {
    Running: 'Running',
    Succeeded: 'Succeeded',
    Failed: failed,
  };
  return {
    waiting: said === 'Pending' ? (says('reason') ?? 'ContainerCreating') : undefined,
    readyAfterMs: durationMs(says('ready-after')),
    end: (said !== undefined && Object.hasOwn(ends, said) ? ends[said] : undefined) ?? usual,
    endAfterMs: durationMs(says('end-after')),
    exitCode: said === 'Failed' ? Number(says('exit-code') ?? 1) || 1 : 0,
  };
}

/** Whether an annotation keeps a node, a claim or a service as it is. */
export const isHeld = (object: KubeObject): boolean => annotationOf(object, `${prefix}phase`) === 'Pending';

/** Why a pod is not to be bound. */
export const isUnschedulable = (pod: KubeObject): boolean =>
  annotationOf(pod, `${prefix}phase`) === 'Unschedulable';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `1m30s`, as Go writes it; 0 for what is none. */
function durationMs(text: string | undefined): number {
  if (text === undefined || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return 0;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}

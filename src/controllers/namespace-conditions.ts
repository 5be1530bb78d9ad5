import { formatTime, isObject, type JsonObject, type JsonValue, own, ownString } from '../meta/index.ts';

/** The result of deleting the content of a namespace. */
export interface DeletionReport {
  /** Refused deletes, and objects that stay without a reason. */
  readonly contentErrors: readonly string[];
  /** How many instances are left, by resource: `widgets.example.com`; the core group gives `pods.` */
  readonly remaining: ReadonlyMap<string, number>;
  /** How many instances a finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Finding {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

interface ConditionKind {
  readonly type: string;
  /** Its message without errors. */
  readonly fine: { readonly reason: string; readonly message: string };
  /** What is wrong, if anything. */
  find(report: DeletionReport): { readonly reason: string; readonly message: string } | undefined;
}

/**
 * In the order of a new status. The first two cannot fail here: the catalog is in the same process.
 * Source: kubernetes, pkg/controller/namespace/deletion/status_condition_utils.go.
 */
const conditionKinds: readonly ConditionKind[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    find: () => undefined,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    find: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    find: ({ contentErrors }) =>
      contentErrors.length === 0
        ? undefined
        : {
            reason: 'ContentDeletionFailed',
            message: `Failed to delete all resource types, ${contentErrors.length} remaining: ${[...contentErrors].sort().join(', ')}`,
          },
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    find: ({ remaining }) =>
      remaining.size === 0
        ? undefined
        : {
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${counts(remaining, 'has', 'resource instances')}`,
          },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    find: ({ finalizers }) =>
      finalizers.size === 0
        ? undefined
        : {
            // Spelled as upstream spells it.
            reason: 'SomeFinalizerRemain',
            message: `Some finalizers are remaining: ${counts(finalizers, 'in', 'resource instances')}`,
          },
  },
];

/** `widgets.example.com has 2 resource instances, ...`, sorted so that equal states have equal texts. */
function counts(totals: ReadonlyMap<string, number>, verb: string, what: string): string {
  const texts = [...totals].map(([name, total]) => `${name} ${verb} ${total} ${what}`);
  return texts.sort().join(', ');
}

/**
 * The conditions of a namespace after a round of deleting: those of before, with all five of its deletion. The time of
 * transition moves only with the status.
 */
export function namespaceConditions(
  present: readonly JsonValue[],
  report: DeletionReport,
  nowMs: number,
): JsonValue[] {
  const conditions = [...present];
  for (const kind of conditionKinds) {
    const finding = findingOf(kind, report);
    const index = conditions.findIndex((one) => isObject(one) && own(one, 'type') === kind.type);
    const old = conditions[index];
    if (!isObject(old)) conditions.push(conditionOf(kind.type, finding, formatTime(nowMs)));
    else conditions[index] = conditionOf(kind.type, finding, sinceOf(old, finding, nowMs));
  }
  return conditions;
}

function findingOf(kind: ConditionKind, report: DeletionReport): Finding {
  const wrong = kind.find(report);
  return wrong === undefined ? { status: 'False', ...kind.fine } : { status: 'True', ...wrong };
}

function sinceOf(old: JsonObject, { status }: Finding, nowMs: number): string {
  const since = ownString(old, 'lastTransitionTime');
  return own(old, 'status') === status && since !== undefined ? since : formatTime(nowMs);
}

function conditionOf(type: string, { status, reason, message }: Finding, since: string): JsonObject {
  return { type, status, lastTransitionTime: since, reason, message };
}

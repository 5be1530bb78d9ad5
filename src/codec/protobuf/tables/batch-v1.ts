/** Jobs in the template of a CronJob have a message of their own because they get no defaults. */
const jobSpec = `1 parallelism! int32, 2 completions! int32, 3 activeDeadlineSeconds! int64,
  4 selector LabelSelector, 5 manualSelector! bool, 6 template!! PodTemplateSpec,
  7 backoffLimit! int32, 8 ttlSecondsAfterFinished! int32, 9 completionMode! string/CompletionMode,
  10 suspend! bool, 11 podFailurePolicy batch.PodFailurePolicy, 12 backoffLimitPerIndex! int32,
  13 maxFailedIndexes! int32, 14 podReplacementPolicy! string/PodReplacementPolicy, 15 managedBy! string,
  16 successPolicy batch.SuccessPolicy`;

/** `batch/v1`, in the notation of `message-table.ts`. */
export const batchV1 = `
batch.CronJob: 1 metadata!! ObjectMeta, 2 spec!! batch.CronJobSpec, 3 status!! batch.CronJobStatus
batch.CronJobSpec: 1 schedule!! string, 2 startingDeadlineSeconds! int64,
  3 concurrencyPolicy string/ConcurrencyPolicy, 4 suspend! bool, 5 jobTemplate!! batch.JobTemplateSpec,
  6 successfulJobsHistoryLimit! int32, 7 failedJobsHistoryLimit! int32, 8 timeZone! string
batch.CronJobStatus: 1 active []ObjectReference, 4 lastScheduleTime Time, 5 lastSuccessfulTime Time
batch.Job: 1 metadata!! ObjectMeta, 2 spec!! batch.JobSpec, 3 status!! batch.JobStatus
batch.JobCondition: 1 type!! string/JobConditionType, 2 status!! string/ConditionStatus,
  3 lastProbeTime!! Time, 4 lastTransitionTime!! Time, 5 reason string, 6 message string
batch.JobSpec: ${jobSpec}, 17 scheduling batch.JobSchedulingConfiguration
batch.JobStatus: 1 conditions []batch.JobCondition, 2 startTime Time, 3 completionTime Time,
  4 active int32, 5 succeeded int32, 6 failed int32, 7 completedIndexes string,
  8 uncountedTerminatedPods batch.UncountedTerminatedPods, 9 ready! int32, 10 failedIndexes! string,
  11 terminating! int32
batch.JobTemplateSpec: 1 metadata!! ObjectMeta, 2 spec!! batch.TemplateJobSpec
batch.PodFailurePolicy: 1 rules!! []batch.PodFailurePolicyRule
batch.PodFailurePolicyOnExitCodesRequirement: 1 containerName! string,
  2 operator!! string/PodFailurePolicyOnExitCodesOperator, 3 values!! []int32
batch.PodFailurePolicyOnPodConditionsPattern: 1 type!! string/PodConditionType,
  2 status!! string/ConditionStatus
batch.PodFailurePolicyRule: 1 action!! string/PodFailurePolicyAction,
  2 onExitCodes batch.PodFailurePolicyOnExitCodesRequirement,
  3 onPodConditions []batch.PodFailurePolicyOnPodConditionsPattern
batch.SuccessPolicy: 1 rules!! []batch.SuccessPolicyRule
batch.SuccessPolicyRule: 1 succeededIndexes! string, 2 succeededCount! int32
batch.TemplateJobSpec: ${jobSpec}
batch.UncountedTerminatedPods: 1 succeeded []string/types.UID, 2 failed []string/types.UID
batch.JobSchedulingConfiguration: 1 schedulingPolicy scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy,
  2 schedulingConstraints scheduling.v1alpha3.WorkloadPodGroupSchedulingConstraints,
  3 disruptionMode scheduling.v1alpha3.WorkloadPodGroupDisruptionMode,
  4 resourceClaims []scheduling.v1alpha3.WorkloadPodGroupResourceClaim
`;

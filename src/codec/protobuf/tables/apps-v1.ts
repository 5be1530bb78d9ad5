/** `apps/v1`, in the notation of `message-table.ts`. */
export const appsV1 = `
apps.ControllerRevision: 1 metadata!! ObjectMeta, 2 data!! RawJson, 3 revision!! int64
apps.DaemonSet: 1 metadata!! ObjectMeta, 2 spec!! apps.DaemonSetSpec, 3 status!! apps.DaemonSetStatus
apps.DaemonSetCondition: 1 type!! string/DaemonSetConditionType, 2 status!! string/ConditionStatus,
  3 lastTransitionTime!! Time, 4 reason string, 5 message string
apps.DaemonSetSpec: 1 selector? LabelSelector, 2 template!! PodTemplateSpec,
  3 updateStrategy!! apps.DaemonSetUpdateStrategy, 4 minReadySeconds int32, 6 revisionHistoryLimit! int32
apps.DaemonSetStatus: 1 currentNumberScheduled!! int32, 2 numberMisscheduled!! int32,
  3 desiredNumberScheduled!! int32, 4 numberReady!! int32, 5 observedGeneration int64,
  6 updatedNumberScheduled int32, 7 numberAvailable int32, 8 numberUnavailable int32,
  9 collisionCount! int32, 10 conditions []apps.DaemonSetCondition
apps.DaemonSetUpdateStrategy: 1 type string/DaemonSetUpdateStrategyType,
  2 rollingUpdate apps.RollingUpdateDaemonSet
apps.Deployment: 1 metadata!! ObjectMeta, 2 spec!! apps.DeploymentSpec, 3 status!! apps.DeploymentStatus
apps.DeploymentCondition: 1 type!! string/DeploymentConditionType, 2 status!! string/ConditionStatus,
  4 reason string, 5 message string, 6 lastUpdateTime!! Time, 7 lastTransitionTime!! Time
apps.DeploymentSpec: 1 replicas! int32, 2 selector? LabelSelector, 3 template!! PodTemplateSpec,
  4 strategy!! apps.DeploymentStrategy, 5 minReadySeconds int32, 6 revisionHistoryLimit! int32,
  7 paused bool, 9 progressDeadlineSeconds! int32
apps.DeploymentStatus: 1 observedGeneration int64, 2 replicas int32, 3 updatedReplicas int32,
  4 availableReplicas int32, 5 unavailableReplicas int32, 6 conditions []apps.DeploymentCondition,
  7 readyReplicas int32, 8 collisionCount! int32, 9 terminatingReplicas! int32
apps.DeploymentStrategy: 1 type string/DeploymentStrategyType,
  2 rollingUpdate apps.RollingUpdateDeployment
apps.ReplicaSet: 1 metadata!! ObjectMeta, 2 spec!! apps.ReplicaSetSpec, 3 status!! apps.ReplicaSetStatus
apps.ReplicaSetCondition: 1 type!! string/ReplicaSetConditionType, 2 status!! string/ConditionStatus,
  3 lastTransitionTime!! Time, 4 reason string, 5 message string
apps.ReplicaSetSpec: 1 replicas! int32, 2 selector? LabelSelector, 3 template!! PodTemplateSpec,
  4 minReadySeconds int32
apps.ReplicaSetStatus: 1 replicas!! int32, 2 fullyLabeledReplicas int32, 3 observedGeneration int64,
  4 readyReplicas int32, 5 availableReplicas int32, 6 conditions []apps.ReplicaSetCondition,
  7 terminatingReplicas! int32
apps.RollingUpdateDaemonSet: 1 maxUnavailable IntOrString, 2 maxSurge IntOrString
apps.RollingUpdateDeployment: 1 maxUnavailable IntOrString, 2 maxSurge IntOrString
apps.RollingUpdateStatefulSetStrategy: 1 partition! int32, 2 maxUnavailable IntOrString
apps.StatefulSet: 1 metadata!! ObjectMeta, 2 spec!! apps.StatefulSetSpec,
  3 status!! apps.StatefulSetStatus
apps.StatefulSetCondition: 1 type!! string/StatefulSetConditionType, 2 status!! string/ConditionStatus,
  3 lastTransitionTime!! Time, 4 reason string, 5 message string
apps.StatefulSetOrdinals: 1 start!! int32
apps.StatefulSetPersistentVolumeClaimRetentionPolicy:
  1 whenDeleted string/PersistentVolumeClaimRetentionPolicyType,
  2 whenScaled string/PersistentVolumeClaimRetentionPolicyType
apps.StatefulSetSpec: 1 replicas! int32, 2 selector? LabelSelector, 3 template!! PodTemplateSpec,
  4 volumeClaimTemplates []PersistentVolumeClaim, 5 serviceName!! string,
  6 podManagementPolicy string/PodManagementPolicyType,
  7 updateStrategy!! apps.StatefulSetUpdateStrategy, 8 revisionHistoryLimit! int32,
  9 minReadySeconds int32,
  10 persistentVolumeClaimRetentionPolicy apps.StatefulSetPersistentVolumeClaimRetentionPolicy,
  11 ordinals apps.StatefulSetOrdinals
apps.StatefulSetStatus: 1 observedGeneration int64, 2 replicas!! int32, 3 readyReplicas int32,
  4 currentReplicas int32, 5 updatedReplicas int32, 6 currentRevision string, 7 updateRevision string,
  9 collisionCount! int32, 10 conditions []apps.StatefulSetCondition, 11 availableReplicas!! int32
apps.StatefulSetUpdateStrategy: 1 type string/StatefulSetUpdateStrategyType,
  2 rollingUpdate apps.RollingUpdateStatefulSetStrategy
`;

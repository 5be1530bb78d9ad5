/** `autoscaling/v2`, in the notation of `message-table.ts`. */
export const autoscalingV2 = `
autoscaling.v2.ContainerResourceMetricSource: 1 name!! string/ResourceName,
  2 target!! autoscaling.v2.MetricTarget, 3 container!! string
autoscaling.v2.ContainerResourceMetricStatus: 1 name!! string/ResourceName,
  2 current!! autoscaling.v2.MetricValueStatus, 3 container!! string
autoscaling.v2.CrossVersionObjectReference: 1 kind!! string, 2 name!! string, 3 apiVersion string
autoscaling.v2.ExternalMetricSource: 1 metric!! autoscaling.v2.MetricIdentifier,
  2 target!! autoscaling.v2.MetricTarget
autoscaling.v2.ExternalMetricStatus: 1 metric!! autoscaling.v2.MetricIdentifier,
  2 current!! autoscaling.v2.MetricValueStatus
autoscaling.v2.HPAScalingPolicy: 1 type!! string/v2.HPAScalingPolicyType, 2 value!! int32,
  3 periodSeconds!! int32
autoscaling.v2.HPAScalingRules: 1 selectPolicy! string/v2.ScalingPolicySelect,
  2 policies []autoscaling.v2.HPAScalingPolicy, 3 stabilizationWindowSeconds! int32, 4 tolerance Quantity
autoscaling.v2.HorizontalPodAutoscaler: 1 metadata!! ObjectMeta,
  2 spec!! autoscaling.v2.HorizontalPodAutoscalerSpec,
  3 status!! autoscaling.v2.HorizontalPodAutoscalerStatus
autoscaling.v2.HorizontalPodAutoscalerBehavior: 1 scaleUp autoscaling.v2.HPAScalingRules,
  2 scaleDown autoscaling.v2.HPAScalingRules
autoscaling.v2.HorizontalPodAutoscalerCondition: 1 type!! string/v2.HorizontalPodAutoscalerConditionType,
  2 status!! string/ConditionStatus, 3 lastTransitionTime!! Time, 4 reason string, 5 message string,
  6 observedGeneration! int64
autoscaling.v2.HorizontalPodAutoscalerSpec:
  1 scaleTargetRef!! autoscaling.v2.CrossVersionObjectReference, 2 minReplicas! int32,
  3 maxReplicas!! int32, 4 metrics []autoscaling.v2.MetricSpec,
  5 behavior autoscaling.v2.HorizontalPodAutoscalerBehavior
autoscaling.v2.HorizontalPodAutoscalerStatus: 1 observedGeneration! int64, 2 lastScaleTime Time,
  3 currentReplicas int32, 4 desiredReplicas!! int32, 5 currentMetrics!! []autoscaling.v2.MetricStatus,
  6 conditions []autoscaling.v2.HorizontalPodAutoscalerCondition
autoscaling.v2.MetricIdentifier: 1 name!! string, 2 selector LabelSelector
autoscaling.v2.MetricSpec: 1 type!! string/v2.MetricSourceType,
  2 object autoscaling.v2.ObjectMetricSource, 3 pods autoscaling.v2.PodsMetricSource,
  4 resource autoscaling.v2.ResourceMetricSource, 5 external autoscaling.v2.ExternalMetricSource,
  7 containerResource autoscaling.v2.ContainerResourceMetricSource
autoscaling.v2.MetricStatus: 1 type!! string/v2.MetricSourceType,
  2 object autoscaling.v2.ObjectMetricStatus, 3 pods autoscaling.v2.PodsMetricStatus,
  4 resource autoscaling.v2.ResourceMetricStatus, 5 external autoscaling.v2.ExternalMetricStatus,
  7 containerResource autoscaling.v2.ContainerResourceMetricStatus
autoscaling.v2.MetricTarget: 1 type!! string/v2.MetricTargetType, 2 value Quantity,
  3 averageValue Quantity, 4 averageUtilization! int32
autoscaling.v2.MetricValueStatus: 1 value Quantity, 2 averageValue Quantity, 3 averageUtilization! int32
autoscaling.v2.ObjectMetricSource: 1 describedObject!! autoscaling.v2.CrossVersionObjectReference,
  2 target!! autoscaling.v2.MetricTarget, 3 metric!! autoscaling.v2.MetricIdentifier
autoscaling.v2.ObjectMetricStatus: 1 metric!! autoscaling.v2.MetricIdentifier,
  2 current!! autoscaling.v2.MetricValueStatus,
  3 describedObject!! autoscaling.v2.CrossVersionObjectReference
autoscaling.v2.PodsMetricSource: 1 metric!! autoscaling.v2.MetricIdentifier,
  2 target!! autoscaling.v2.MetricTarget
autoscaling.v2.PodsMetricStatus: 1 metric!! autoscaling.v2.MetricIdentifier,
  2 current!! autoscaling.v2.MetricValueStatus
autoscaling.v2.ResourceMetricSource: 1 name!! string/ResourceName, 2 target!! autoscaling.v2.MetricTarget
autoscaling.v2.ResourceMetricStatus: 1 name!! string/ResourceName,
  2 current!! autoscaling.v2.MetricValueStatus
`;

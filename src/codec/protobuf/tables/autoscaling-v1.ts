/** `autoscaling/v1`, in the notation of `message-table.ts`. */
export const autoscalingV1 = `
autoscaling.Scale: 1 metadata!! ObjectMeta, 2 spec!! autoscaling.ScaleSpec,
  3 status!! autoscaling.ScaleStatus
autoscaling.ScaleSpec: 1 replicas int32
autoscaling.ScaleStatus: 1 replicas!! int32, 2 selector string
autoscaling.CrossVersionObjectReference: 1 kind!! string, 2 name!! string, 3 apiVersion string
autoscaling.HorizontalPodAutoscaler: 1 metadata!! ObjectMeta,
  2 spec!! autoscaling.HorizontalPodAutoscalerSpec, 3 status!! autoscaling.HorizontalPodAutoscalerStatus
autoscaling.HorizontalPodAutoscalerSpec: 1 scaleTargetRef!! autoscaling.CrossVersionObjectReference,
  2 minReplicas! int32, 3 maxReplicas!! int32, 4 targetCPUUtilizationPercentage! int32
autoscaling.HorizontalPodAutoscalerStatus: 1 observedGeneration! int64, 2 lastScaleTime Time,
  3 currentReplicas!! int32, 4 desiredReplicas!! int32, 5 currentCPUUtilizationPercentage! int32
`;

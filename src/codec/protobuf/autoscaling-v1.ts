/** `autoscaling/v1`, in the notation of `message-table.ts`. */
export const autoscalingV1 = `
autoscaling.Scale: 1 metadata!! ObjectMeta, 2 spec!! autoscaling.ScaleSpec,
  3 status!! autoscaling.ScaleStatus
autoscaling.ScaleSpec: 1 replicas int32
autoscaling.ScaleStatus: 1 replicas!! int32, 2 selector string
`;

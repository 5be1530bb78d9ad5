/** `policy/v1`, in the notation of `message-table.ts`. */
export const policyV1 = `
policy.Eviction: 1 metadata!! ObjectMeta, 2 deleteOptions DeleteOptions
policy.PodDisruptionBudget: 1 metadata!! ObjectMeta, 2 spec!! policy.PodDisruptionBudgetSpec,
  3 status!! policy.PodDisruptionBudgetStatus
policy.PodDisruptionBudgetSpec: 1 minAvailable IntOrString, 2 selector LabelSelector,
  3 maxUnavailable IntOrString, 4 unhealthyPodEvictionPolicy! string/UnhealthyPodEvictionPolicyType
policy.PodDisruptionBudgetStatus: 1 observedGeneration int64, 2 disruptedPods {}Time,
  3 disruptionsAllowed!! int32, 4 currentHealthy!! int32, 5 desiredHealthy!! int32,
  6 expectedPods!! int32, 7 conditions []Condition
`;

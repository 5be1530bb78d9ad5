/** `scheduling.k8s.io/v1`, in the notation of `message-table.ts`. */
export const schedulingV1 = `
scheduling.PriorityClass: 1 metadata!! ObjectMeta, 2 value!! int32, 3 globalDefault bool,
  4 description string, 5 preemptionPolicy! string/PreemptionPolicy
scheduling.v1alpha3.TopologyConstraint: 1 key!! string
scheduling.v1alpha3.WorkloadPodGroupAllDisruptionMode:
scheduling.v1alpha3.WorkloadPodGroupBasicSchedulingPolicy:
scheduling.v1alpha3.WorkloadPodGroupDisruptionMode:
  1 single scheduling.v1alpha3.WorkloadPodGroupSingleDisruptionMode,
  2 all scheduling.v1alpha3.WorkloadPodGroupAllDisruptionMode
scheduling.v1alpha3.WorkloadPodGroupGangSchedulingPolicy: 1 minCount! int32
scheduling.v1alpha3.WorkloadPodGroupResourceClaim: 1 name!! string, 2 resourceClaimName! string,
  3 resourceClaimTemplateName! string
scheduling.v1alpha3.WorkloadPodGroupSchedulingConstraints:
  1 topology []scheduling.v1alpha3.TopologyConstraint
scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy:
  1 basic scheduling.v1alpha3.WorkloadPodGroupBasicSchedulingPolicy,
  2 gang scheduling.v1alpha3.WorkloadPodGroupGangSchedulingPolicy
scheduling.v1alpha3.WorkloadPodGroupSingleDisruptionMode:
`;

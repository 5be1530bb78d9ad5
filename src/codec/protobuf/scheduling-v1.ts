/** `scheduling.k8s.io/v1`, in the notation of `message-table.ts`. */
export const schedulingV1 = `
scheduling.PriorityClass: 1 metadata!! ObjectMeta, 2 value!! int32, 3 globalDefault bool,
  4 description string, 5 preemptionPolicy! string/PreemptionPolicy
`;

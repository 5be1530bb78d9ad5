/** `coordination.k8s.io/v1`, in the notation of `message-table.ts`. */
export const coordinationV1 = `
coordination.Lease: 1 metadata!! ObjectMeta, 2 spec!! coordination.LeaseSpec
coordination.LeaseSpec: 1 holderIdentity! string, 2 leaseDurationSeconds! int32, 3 acquireTime MicroTime,
  4 renewTime MicroTime, 5 leaseTransitions! int32, 6 strategy! string/CoordinatedLeaseStrategy,
  7 preferredHolder! string
`;

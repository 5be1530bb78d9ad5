/** `node.k8s.io/v1`, in the notation of `message-table.ts`. */
export const nodeV1 = `
node.Overhead: 1 podFixed {}Quantity
node.RuntimeClass: 1 metadata!! ObjectMeta, 2 handler!! string, 3 overhead node.Overhead,
  4 scheduling node.Scheduling
node.Scheduling: 1 nodeSelector {}string, 2 tolerations []Toleration
`;

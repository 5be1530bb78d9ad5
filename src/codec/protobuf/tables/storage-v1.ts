/** `storage.k8s.io/v1`, and the messages that it uses of the core group, in the notation of `message-table.ts`. */
export const storageV1 = `
storage.StorageClass: 1 metadata!! ObjectMeta, 2 provisioner!! string, 3 parameters {}string,
  4 reclaimPolicy! string/PersistentVolumeReclaimPolicy, 5 mountOptions []string,
  6 allowVolumeExpansion! bool, 7 volumeBindingMode! string/VolumeBindingMode,
  8 allowedTopologies []TopologySelectorTerm
TopologySelectorLabelRequirement: 1 key!! string, 2 values!! []string
TopologySelectorTerm: 1 matchLabelExpressions []TopologySelectorLabelRequirement
storage.CSIStorageCapacity: 1 metadata!! ObjectMeta, 2 nodeTopology LabelSelector,
  3 storageClassName!! string, 4 capacity Quantity, 5 maximumVolumeSize Quantity
storage.VolumeAttributesClass: 1 metadata!! ObjectMeta, 2 driverName!! string, 3 parameters {}string
`;

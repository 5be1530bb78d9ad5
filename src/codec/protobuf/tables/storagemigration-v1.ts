/** `storagemigration.k8s.io/v1`, in the notation of `message-table.ts`. */
export const storagemigrationV1 = `
storagemigration.StorageVersionMigration: 1 metadata!! ObjectMeta,
  2 spec!! storagemigration.StorageVersionMigrationSpec,
  3 status!! storagemigration.StorageVersionMigrationStatus
storagemigration.StorageVersionMigrationSpec: 1 resource!! GroupResource
storagemigration.StorageVersionMigrationStatus: 1 conditions []Condition, 2 resourceVersion string
`;

/** `meta.k8s.io/v1`: object metadata, answers and options, in the notation of `message-table.ts`. */
export const metaV1 = `
Condition: 1 type!! string, 2 status!! string/ConditionStatus, 3 observedGeneration int64,
  4 lastTransitionTime!! Time, 5 reason!! string, 6 message!! string
DeleteOptions: 1 gracePeriodSeconds! int64, 2 preconditions Preconditions, 3 orphanDependents! bool,
  4 propagationPolicy! string, 5 dryRun []string,
  6 ignoreStoreReadErrorWithClusterBreakingPotential! bool
FieldSelectorRequirement: 1 key! string, 2 operator! string, 3 values []string
LabelSelector: 1 matchLabels {}string, 2 matchExpressions []LabelSelectorRequirement
LabelSelectorRequirement: 1 key!! string, 2 operator!! string/LabelSelectorOperator, 3 values []string
ListMeta: 1 selfLink string, 2 resourceVersion string, 3 continue string, 4 remainingItemCount! int64,
  5 shardInfo ShardInfo
ManagedFieldsEntry: 1 manager string, 2 operation string/ManagedFieldsOperationType, 3 apiVersion string,
  4 time Time, 6 fieldsType string, 7 fieldsV1 RawJson, 8 subresource string
ObjectMeta: 1 name string, 2 generateName string, 3 namespace string, 4 selfLink string,
  5 uid string/types.UID, 6 resourceVersion string, 7 generation int64, 8 creationTimestamp Time,
  9 deletionTimestamp Time, 10 deletionGracePeriodSeconds! int64, 11 labels {}string,
  12 annotations {}string, 13 ownerReferences []OwnerReference, 14 finalizers []string,
  17 managedFields []ManagedFieldsEntry
OwnerReference: 1 kind!! string, 3 name!! string, 4 uid!! string/types.UID, 5 apiVersion!! string,
  6 controller! bool, 7 blockOwnerDeletion! bool
PartialObjectMetadata: 1 metadata ObjectMeta
PartialObjectMetadataListV1beta1: 1 items []PartialObjectMetadata, 2 metadata ListMeta
Preconditions: 1 uid! string, 2 resourceVersion! string
Status: 1 metadata ListMeta, 2 status string, 3 message string, 4 reason string, 5 details StatusDetails,
  6 code int32
StatusCause: 1 reason string, 2 message string, 3 field string
StatusDetails: 1 name string, 2 group string, 3 kind string, 4 causes []StatusCause,
  5 retryAfterSeconds int32, 6 uid string
ShardInfo: 1 selector!! string
`;

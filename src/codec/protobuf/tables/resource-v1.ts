/** `resource.k8s.io/v1`, in the notation of `message-table.ts`. */
export const resourceV1 = `
resource.AllocatedDeviceStatus: 1 driver!! string, 2 pool!! string, 3 device!! string, 7 shareID! string,
  4 conditions!! []Condition, 5 data RawJson, 6 networkData resource.NetworkDeviceData
resource.AllocationResult: 1 devices!! resource.DeviceAllocationResult, 3 nodeSelector NodeSelector,
  5 allocationTimestamp Time
resource.CELDeviceSelector: 1 expression!! string
resource.CapacityRequestPolicy: 1 default? Quantity, 3 validValues []Quantity,
  4 validRange resource.CapacityRequestPolicyRange
resource.CapacityRequestPolicyRange: 1 min Quantity, 2 max Quantity, 3 step Quantity
resource.CapacityRequirements: 1 requests {}Quantity
resource.Counter: 1 value!! Quantity
resource.CounterSet: 1 name!! string, 2 counters {}resource.Counter
resource.Device: 1 name!! string, 2 attributes {}resource.DeviceAttribute,
  3 capacity {}resource.DeviceCapacity, 4 consumesCounters []resource.DeviceCounterConsumption,
  5 nodeName! string, 6 nodeSelector NodeSelector, 7 allNodes! bool, 8 taints []resource.DeviceTaint,
  9 bindsToNode! bool, 10 bindingConditions []string, 11 bindingFailureConditions []string,
  12 allowMultipleAllocations! bool, 14 nodeAllocatableResources {}resource.NodeAllocatableResource
resource.DeviceAllocationConfiguration: 1 source!! string/AllocationConfigSource, 2 requests []string,
  3 ...!! resource.DeviceConfiguration
resource.DeviceAllocationResult: 1 results []resource.DeviceRequestAllocationResult,
  2 config []resource.DeviceAllocationConfiguration
resource.DeviceAttribute: 2 int! int64, 3 bool! bool, 4 string! string, 5 version! string, 6 ints []int64,
  7 bools []bool, 8 strings []string, 9 versions []string
resource.DeviceCapacity: 1 value!! Quantity, 2 requestPolicy resource.CapacityRequestPolicy
resource.DeviceClaim: 1 requests!! []resource.DeviceRequest, 2 constraints []resource.DeviceConstraint,
  3 config []resource.DeviceClaimConfiguration
resource.DeviceClaimConfiguration: 1 requests []string, 2 ...!! resource.DeviceConfiguration
resource.DeviceClass: 1 metadata!! ObjectMeta, 2 spec!! resource.DeviceClassSpec
resource.DeviceClassConfiguration: 1 ...!! resource.DeviceConfiguration
resource.DeviceClassSpec: 1 selectors []resource.DeviceSelector,
  2 config []resource.DeviceClassConfiguration, 4 extendedResourceName! string
resource.DeviceConfiguration: 1 opaque resource.OpaqueDeviceConfiguration
resource.DeviceConstraint: 1 requests []string, 2 matchAttribute! string/FullyQualifiedName,
  3 distinctAttribute! string/FullyQualifiedName
resource.DeviceCounterConsumption: 1 counterSet!! string, 2 counters {}resource.Counter,
  3 compatibilityGroups []string
resource.DeviceDerivedAttribute: 1 name!! string/FullyQualifiedName, 2 expression!! string
resource.DeviceRequest: 1 name!! string, 2 exactly resource.ExactDeviceRequest,
  3 firstAvailable []resource.DeviceSubRequest
resource.DeviceRequestAllocationResult: 1 request!! string, 2 driver!! string, 3 pool!! string,
  4 device!! string, 5 adminAccess! bool, 6 tolerations []resource.DeviceToleration,
  7 bindingConditions []string, 8 bindingFailureConditions []string, 9 shareID! string/types.UID,
  10 consumedCapacity {}Quantity, 11 skipNodeOperations []string/SkipNodeOperation
resource.DeviceSelector: 1 cel resource.CELDeviceSelector
resource.DeviceSubRequest: 1 name!! string, 2 deviceClassName!! string,
  3 selectors []resource.DeviceSelector, 4 allocationMode string/DeviceAllocationMode, 5 count int64,
  6 tolerations []resource.DeviceToleration, 7 capacity resource.CapacityRequirements,
  8 derivedAttributes []resource.DeviceDerivedAttribute
resource.DeviceTaint: 1 key!! string, 2 value string, 3 effect!! string/DeviceTaintEffect, 4 timeAdded Time
resource.DeviceToleration: 1 key string, 2 operator string/DeviceTolerationOperator, 3 value string,
  4 effect string/DeviceTaintEffect, 5 tolerationSeconds! int64
resource.ExactDeviceRequest: 1 deviceClassName!! string, 2 selectors []resource.DeviceSelector,
  3 allocationMode string/DeviceAllocationMode, 4 count int64, 5 adminAccess! bool,
  6 tolerations []resource.DeviceToleration, 7 capacity resource.CapacityRequirements,
  8 derivedAttributes []resource.DeviceDerivedAttribute
resource.NetworkDeviceData: 1 interfaceName string, 2 ips []string, 3 hardwareAddress string
resource.OpaqueDeviceConfiguration: 1 driver!! string, 2 parameters!! RawJson
resource.ResourceClaim: 1 metadata!! ObjectMeta, 2 spec!! resource.ResourceClaimSpec,
  3 status!! resource.ResourceClaimStatus
resource.ResourceClaimConsumerReference: 1 apiGroup string, 3 resource!! string, 4 name!! string,
  5 uid!! string/types.UID
resource.ResourceClaimSpec: 1 devices!! resource.DeviceClaim
resource.ResourceClaimStatus: 1 allocation resource.AllocationResult,
  2 reservedFor []resource.ResourceClaimConsumerReference, 4 devices []resource.AllocatedDeviceStatus
resource.ResourceClaimTemplate: 1 metadata!! ObjectMeta, 2 spec!! resource.ResourceClaimTemplateSpec
resource.ResourceClaimTemplateSpec: 1 metadata!! ObjectMeta, 2 spec!! resource.ResourceClaimSpec
resource.ResourcePool: 1 name!! string, 2 generation!! int64, 3 resourceSliceCount!! int64
resource.ResourceSlice: 1 metadata!! ObjectMeta, 2 spec!! resource.ResourceSliceSpec
resource.ResourceSliceSpec: 1 driver!! string, 2 pool!! resource.ResourcePool, 3 nodeName! string,
  4 nodeSelector NodeSelector, 5 allNodes! bool, 6 devices []resource.Device,
  7 perDeviceNodeSelection! bool, 8 sharedCounters []resource.CounterSet,
  9 partitionTypeAttribute! string/FullyQualifiedName, 10 skipNodeOperations []string/SkipNodeOperation
resource.DeviceTaintRule: 1 metadata!! ObjectMeta, 2 spec!! resource.DeviceTaintRuleSpec,
  3 status!! resource.DeviceTaintRuleStatus
resource.DeviceTaintRuleSpec: 1 deviceSelector resource.DeviceTaintSelector, 2 taint!! resource.DeviceTaint
resource.DeviceTaintRuleStatus: 1 conditions []Condition
resource.DeviceTaintSelector: 2 driver! string, 3 pool! string, 4 device! string
resource.NodeAllocatableMapping: 1 capacityKey! string/QualifiedName, 2 capacityMultiplier Quantity,
  3 deviceMultiplier Quantity
resource.NodeAllocatableOverhead: 1 perPod Quantity, 2 perContainer Quantity
resource.NodeAllocatableResource: 3 mapping resource.NodeAllocatableMapping,
  4 overhead resource.NodeAllocatableOverhead
`;

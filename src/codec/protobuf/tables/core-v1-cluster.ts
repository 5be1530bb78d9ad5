/** Nodes, claims and pod templates of the core group `v1`, in the notation of `message-table.ts`. */
export const coreV1Cluster = `
AttachedVolume: 1 name!! string/UniqueVolumeName, 2 devicePath!! string
AzureFilePersistentVolumeSource: 1 secretName!! string, 2 shareName!! string, 3 readOnly bool,
  4 secretNamespace? string
CSIPersistentVolumeSource: 1 driver!! string, 2 volumeHandle!! string, 3 readOnly bool, 4 fsType string,
  5 volumeAttributes {}string, 6 controllerPublishSecretRef SecretReference,
  7 nodeStageSecretRef SecretReference, 8 nodePublishSecretRef SecretReference,
  9 controllerExpandSecretRef SecretReference, 10 nodeExpandSecretRef SecretReference
CephFSPersistentVolumeSource: 1 monitors!! []string, 2 path string, 3 user string, 4 secretFile string,
  5 secretRef SecretReference, 6 readOnly bool
CinderPersistentVolumeSource: 1 volumeID!! string, 2 fsType string, 3 readOnly bool,
  4 secretRef SecretReference
ConfigMapNodeConfigSource: 1 namespace!! string, 2 name!! string, 3 uid string/types.UID,
  4 resourceVersion string, 5 kubeletConfigKey!! string
ContainerImage: 1 names!! []string, 2 sizeBytes int64
DaemonEndpoint: 1 Port!! int32
Binding: 1 metadata!! ObjectMeta, 2 target!! ObjectReference
EndpointAddress: 1 ip!! string, 2 targetRef ObjectReference, 3 hostname string, 4 nodeName! string
EndpointPort: 1 name string, 2 port!! int32, 3 protocol string/Protocol, 4 appProtocol! string
EndpointSubset: 1 addresses []EndpointAddress, 2 notReadyAddresses []EndpointAddress,
  3 ports []EndpointPort
Endpoints: 1 metadata!! ObjectMeta, 2 subsets []EndpointSubset
FlexPersistentVolumeSource: 1 driver!! string, 2 fsType string, 3 secretRef SecretReference,
  4 readOnly bool, 5 options {}string
GlusterfsPersistentVolumeSource: 1 endpoints!! string, 2 path!! string, 3 readOnly bool,
  4 endpointsNamespace! string
ISCSIPersistentVolumeSource: 1 targetPortal!! string, 2 iqn!! string, 3 lun!! int32,
  4 iscsiInterface string, 5 fsType string, 6 readOnly bool, 7 portals []string,
  8 chapAuthDiscovery bool, 10 secretRef SecretReference, 11 chapAuthSession bool,
  12 initiatorName! string
LimitRange: 1 metadata!! ObjectMeta, 2 spec!! LimitRangeSpec
LimitRangeItem: 1 type!! string/LimitType, 2 max {}Quantity, 3 min {}Quantity, 4 default {}Quantity,
  5 defaultRequest {}Quantity, 6 maxLimitRequestRatio {}Quantity
LimitRangeSpec: 1 limits!! []LimitRangeItem
LocalVolumeSource: 1 path!! string, 2 fsType! string
ModifyVolumeStatus: 1 targetVolumeAttributesClassName string,
  2 status!! string/PersistentVolumeClaimModifyVolumeStatus
Node: 1 metadata!! ObjectMeta, 2 spec!! NodeSpec, 3 status!! NodeStatus
NodeAddress: 1 type!! string/NodeAddressType, 2 address!! string
NodeCondition: 1 type!! string/NodeConditionType, 2 status!! string/ConditionStatus,
  3 lastHeartbeatTime!! Time, 4 lastTransitionTime!! Time, 5 reason string, 6 message string
NodeConfigSource: 2 configMap ConfigMapNodeConfigSource
NodeConfigStatus: 1 assigned NodeConfigSource, 2 active NodeConfigSource,
  3 lastKnownGood NodeConfigSource, 4 error string
NodeDaemonEndpoints: 1 kubeletEndpoint!! DaemonEndpoint
NodeFeatures: 1 supplementalGroupsPolicy! bool
NodePodPreemptionPolicy: 1 disableResizePreemption []string
NodeRuntimeHandler: 1 name!! string, 2 features NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: 1 recursiveReadOnlyMounts! bool, 2 userNamespaces! bool
NodeSpec: 1 podCIDR string, 2 externalID string, 3 providerID string, 4 unschedulable bool,
  5 taints []Taint, 6 configSource NodeConfigSource, 7 podCIDRs []string,
  8 podPreemptionPolicy NodePodPreemptionPolicy
NodeStatus: 1 capacity {}Quantity, 2 allocatable {}Quantity, 3 phase string/NodePhase,
  4 conditions []NodeCondition, 5 addresses []NodeAddress, 6 daemonEndpoints!! NodeDaemonEndpoints,
  7 nodeInfo!! NodeSystemInfo, 8 images []ContainerImage, 9 volumesInUse []string/UniqueVolumeName,
  10 volumesAttached []AttachedVolume, 11 config NodeConfigStatus,
  12 runtimeHandlers []NodeRuntimeHandler, 13 features NodeFeatures, 14 declaredFeatures []string
NodeSwapStatus: 1 capacity! int64
NodeSystemInfo: 1 machineID!! string, 2 systemUUID!! string, 3 bootID!! string, 4 kernelVersion!! string,
  5 osImage!! string, 6 containerRuntimeVersion!! string, 7 kubeletVersion!! string,
  8 kubeProxyVersion!! string, 9 operatingSystem!! string, 10 architecture!! string,
  11 swap NodeSwapStatus, 12 runningInUserNamespace! bool
PersistentVolume: 1 metadata!! ObjectMeta, 2 spec!! PersistentVolumeSpec,
  3 status!! PersistentVolumeStatus
PersistentVolumeClaim: 1 metadata!! ObjectMeta, 2 spec!! PersistentVolumeClaimSpec,
  3 status!! PersistentVolumeClaimStatus
PersistentVolumeClaimCondition: 1 type!! string/PersistentVolumeClaimConditionType,
  2 status!! string/ConditionStatus, 3 lastProbeTime!! Time, 4 lastTransitionTime!! Time,
  5 reason string, 6 message string
PersistentVolumeClaimStatus: 1 phase string/PersistentVolumeClaimPhase,
  2 accessModes []string/PersistentVolumeAccessMode, 3 capacity {}Quantity,
  4 conditions []PersistentVolumeClaimCondition, 5 allocatedResources {}Quantity,
  7 allocatedResourceStatuses {}string/ClaimResourceStatus, 8 currentVolumeAttributesClassName! string,
  9 modifyVolumeStatus ModifyVolumeStatus, 10 healthStatus VolumeHealthStatus
PersistentVolumeSource: 1 gcePersistentDisk GCEPersistentDiskVolumeSource,
  2 awsElasticBlockStore AWSElasticBlockStoreVolumeSource, 3 hostPath HostPathVolumeSource,
  4 glusterfs GlusterfsPersistentVolumeSource, 5 nfs NFSVolumeSource, 6 rbd RBDPersistentVolumeSource,
  7 iscsi ISCSIPersistentVolumeSource, 8 cinder CinderPersistentVolumeSource,
  9 cephfs CephFSPersistentVolumeSource, 10 fc FCVolumeSource, 11 flocker FlockerVolumeSource,
  12 flexVolume FlexPersistentVolumeSource, 13 azureFile AzureFilePersistentVolumeSource,
  14 vsphereVolume VsphereVirtualDiskVolumeSource, 15 quobyte QuobyteVolumeSource,
  16 azureDisk AzureDiskVolumeSource, 17 photonPersistentDisk PhotonPersistentDiskVolumeSource,
  18 portworxVolume PortworxVolumeSource, 19 scaleIO ScaleIOPersistentVolumeSource,
  20 local LocalVolumeSource, 21 storageos StorageOSPersistentVolumeSource,
  22 csi CSIPersistentVolumeSource
PersistentVolumeSpec: 1 capacity {}Quantity, 2 ... PersistentVolumeSource,
  3 accessModes []string/PersistentVolumeAccessMode, 4 claimRef ObjectReference,
  5 persistentVolumeReclaimPolicy string/PersistentVolumeReclaimPolicy, 6 storageClassName string,
  7 mountOptions []string, 8 volumeMode! string/PersistentVolumeMode, 9 nodeAffinity VolumeNodeAffinity,
  10 volumeAttributesClassName! string
PersistentVolumeStatus: 1 phase string/PersistentVolumePhase, 2 message string, 3 reason string,
  4 lastPhaseTransitionTime Time
PodTemplate: 1 metadata!! ObjectMeta, 2 template!! PodTemplateSpec
PodTemplateSpec: 1 metadata!! ObjectMeta, 2 spec!! PodSpec
RBDPersistentVolumeSource: 1 monitors!! []string, 2 image!! string, 3 fsType string, 4 pool string,
  5 user string, 6 keyring string, 7 secretRef SecretReference, 8 readOnly bool
ReplicationController: 1 metadata!! ObjectMeta, 2 spec!! ReplicationControllerSpec,
  3 status!! ReplicationControllerStatus
ReplicationControllerCondition: 1 type!! string/ReplicationControllerConditionType,
  2 status!! string/ConditionStatus, 3 lastTransitionTime!! Time, 4 reason string, 5 message string
ReplicationControllerSpec: 1 replicas! int32, 2 selector {}string, 3 template PodTemplateSpec,
  4 minReadySeconds int32
ReplicationControllerStatus: 1 replicas!! int32, 2 fullyLabeledReplicas int32,
  3 observedGeneration int64, 4 readyReplicas int32, 5 availableReplicas int32,
  6 conditions []ReplicationControllerCondition
ResourceQuota: 1 metadata!! ObjectMeta, 2 spec!! ResourceQuotaSpec, 3 status!! ResourceQuotaStatus
ResourceQuotaSpec: 1 hard {}Quantity, 2 scopes []string/ResourceQuotaScope, 3 scopeSelector ScopeSelector
ResourceQuotaStatus: 1 hard {}Quantity, 2 used {}Quantity
ScaleIOPersistentVolumeSource: 1 gateway!! string, 2 system!! string, 3 secretRef? SecretReference,
  4 sslEnabled bool, 5 protectionDomain string, 6 storagePool string, 7 storageMode string,
  8 volumeName string, 9 fsType string, 10 readOnly bool
ScopeSelector: 1 matchExpressions []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement: 1 scopeName!! string/ResourceQuotaScope,
  2 operator!! string/ScopeSelectorOperator, 3 values []string
SecretReference: 1 name string, 2 namespace string
StorageOSPersistentVolumeSource: 1 volumeName string, 2 volumeNamespace string, 3 fsType string,
  4 readOnly bool, 5 secretRef ObjectReference
Taint: 1 key!! string, 2 value string, 3 effect!! string/TaintEffect, 4 timeAdded Time
VolumeHealthCondition: 1 status!! string/VolumeHealthStatusType, 2 reason!! string, 3 message string
VolumeHealthStatus: 1 healthConditions []VolumeHealthCondition, 2 lastTransitionTime!! Time
VolumeNodeAffinity: 1 required NodeSelector
EvictionResponder: 1 name!! string, 2 priority? int32
GroupResource: 1 group!! string, 2 resource!! string
NodeAllocatableMappedResources: 1 name!! string/ResourceName, 2 quantity? Quantity
NodeAllocatableOverheadResources: 1 name!! string/ResourceName, 2 perPod Quantity, 3 perContainer Quantity
NodeAllocatableResourceClaimStatus: 1 resourceClaimName!! string, 2 containers []string,
  4 mapping []NodeAllocatableMappedResources, 5 overhead []NodeAllocatableOverheadResources
PodSchedulingGroup: 1 podGroupName! string
PodVolumeHealth: 1 name!! string, 2 healthConditions []VolumeHealthCondition, 3 lastTransitionTime!! Time
`;

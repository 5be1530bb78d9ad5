/** `storage.k8s.io/v1`: the kinds of CSI drivers, in the notation of `message-table.ts`. */
export const storageV1Drivers = `
storage.CSIDriver: 1 metadata!! ObjectMeta, 2 spec!! storage.CSIDriverSpec
storage.CSIDriverSpec: 1 attachRequired! bool, 2 podInfoOnMount! bool,
  3 volumeLifecycleModes []string/VolumeLifecycleMode, 4 storageCapacity! bool,
  5 fsGroupPolicy! string/FSGroupPolicy, 6 tokenRequests []storage.TokenRequest, 7 requiresRepublish! bool,
  8 seLinuxMount! bool, 9 nodeAllocatableUpdatePeriodSeconds! int64, 10 serviceAccountTokenInSecrets! bool,
  11 preventPodSchedulingIfMissing! bool
storage.CSINode: 1 metadata!! ObjectMeta, 2 spec!! storage.CSINodeSpec, 3 status!! storage.CSINodeStatus
storage.CSINodeDriver: 1 name!! string, 2 nodeID!! string, 3 topologyKeys!! []string,
  4 allocatable storage.VolumeNodeResources
storage.CSINodeSpec: 1 drivers!! []storage.CSINodeDriver
storage.CSINodeStatus: 1 storageHealth []storage.StorageHealth
storage.StorageHealth: 1 name!! string, 2 healthConditions []storage.StorageHealthCondition
storage.StorageHealthCondition: 1 status!! string/StorageHealthStatusType, 2 reason!! string,
  3 message string, 4 accessMode! string/PersistentVolumeAccessMode,
  5 volumeMode! string/PersistentVolumeMode, 6 lastTransitionTime!! Time
storage.TokenRequest: 1 audience!! string, 2 expirationSeconds! int64
storage.VolumeAttachment: 1 metadata!! ObjectMeta, 2 spec!! storage.VolumeAttachmentSpec,
  3 status!! storage.VolumeAttachmentStatus
storage.VolumeAttachmentSource: 1 persistentVolumeName! string, 2 inlineVolumeSpec PersistentVolumeSpec
storage.VolumeAttachmentSpec: 1 attacher!! string, 2 source!! storage.VolumeAttachmentSource,
  3 nodeName!! string
storage.VolumeAttachmentStatus: 1 attached!! bool, 2 attachmentMetadata {}string,
  3 attachError storage.VolumeError, 4 detachError storage.VolumeError
storage.VolumeError: 1 time!! Time, 2 message string, 3 errorCode! int32
storage.VolumeNodeResources: 1 count! int32
`;

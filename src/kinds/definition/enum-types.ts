/**
 * The values of Go's types of strings that have a few, for documents: what is checked stands with the rules of the
 * kinds. Source: the marker enum of k8s.io/api, as `/openapi/v2` shows it.
 */
const table = `
AddressType: FQDN, IPv4, IPv6
AllocationConfigSource: FromClaim, FromClass
AppArmorProfileType: Localhost, RuntimeDefault, Unconfined
AzureDataDiskCachingMode: None, ReadOnly, ReadWrite
AzureDataDiskKind: Dedicated, Managed, Shared
ClaimResourceStatus: ControllerResizeInProgress, ControllerResizeInfeasible, NodeResizeInProgress, NodeResizeInfeasible,
  NodeResizePending
CompletionMode: Indexed, NonIndexed
ConcurrencyPolicy: Allow, Forbid, Replace
DNSPolicy: ClusterFirst, ClusterFirstWithHostNet, Default, None
DaemonSetUpdateStrategyType: OnDelete, RollingUpdate
DeploymentStrategyType: Recreate, RollingUpdate
DeviceAllocationMode: All, ExactCount
DeviceTaintEffect: NoExecute, NoSchedule, None
DeviceTolerationOperator: Equal, Exists
FailurePolicyType: Fail, Ignore
GRPCProbeMode: Plaintext, TLS
HTTPProtocol: HTTP1, HTTP2
HostPathType: , BlockDevice, CharDevice, Directory, DirectoryOrCreate, File, FileOrCreate, Socket
IPFamily: , IPv4, IPv6
IPFamilyPolicy: PreferDualStack, RequireDualStack, SingleStack
KeyUsage: any, cert sign, client auth, code signing, content commitment, crl sign, data encipherment,
  decipher only, digital signature, email protection, encipher only, ipsec end system, ipsec tunnel, ipsec
  user, key agreement, key encipherment, microsoft sgc, netscape sgc, ocsp signing, s/mime, server auth,
  signing, timestamping
MatchPolicyType: Equivalent, Exact
MountPropagationMode: Bidirectional, HostToContainer, None
NodeInclusionPolicy: Honor, Ignore
NodePhase: Pending, Running, Terminated
NodeSelectorOperator: DoesNotExist, Exists, Gt, In, Lt, NotIn
OperationType: *, CONNECT, CREATE, DELETE, UPDATE
PatchType: ApplyConfiguration, JSONPatch
PathType: Exact, ImplementationSpecific, Prefix
PersistentVolumeAccessMode: ReadOnlyMany, ReadWriteMany, ReadWriteOnce, ReadWriteOncePod
PersistentVolumeClaimModifyVolumeStatus: InProgress, Infeasible, Pending
PersistentVolumeClaimPhase: Bound, Lost, Pending
PersistentVolumeMode: Block, Filesystem
PersistentVolumePhase: Available, Bound, Failed, Pending, Released
PersistentVolumeReclaimPolicy: Delete, Recycle, Retain
PodFSGroupChangePolicy: Always, OnRootMismatch
PodFailurePolicyAction: Count, FailIndex, FailJob, Ignore
PodFailurePolicyOnExitCodesOperator: In, NotIn
PodManagementPolicyType: OrderedReady, Parallel
PodPhase: Failed, Pending, Running, Succeeded, Unknown
PodQOSClass: BestEffort, Burstable, Guaranteed
PodReplacementPolicy: Failed, TerminatingOrFailed
PolicyType: Egress, Ingress
PreemptionPolicy: Never, PreemptLowerPriority
ProcMountType: Default, Unmasked
Protocol: SCTP, TCP, UDP
PullPolicy: Always, IfNotPresent, Never
ReinvocationPolicyType: IfNeeded, Never
ResourceQuotaScope: BestEffort, CrossNamespacePodAffinity, NotBestEffort, NotTerminating, PriorityClass,
  Terminating, VolumeAttributesClass
RestartPolicy: Always, Never, OnFailure
ScopeSelectorOperator: DoesNotExist, Exists, In, NotIn
ScopeType: *, Cluster, Namespaced
SeccompProfileType: Localhost, RuntimeDefault, Unconfined
ServiceAffinity: ClientIP, None
ServiceExternalTrafficPolicy: Cluster, Local
ServiceInternalTrafficPolicy: Cluster, Local
ServiceType: ClusterIP, ExternalName, LoadBalancer, NodePort
SideEffectClass: None, NoneOnDryRun, Some, Unknown
Signal: SIGABRT, SIGALRM, SIGBUS, SIGCHLD, SIGCLD, SIGCONT, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGIO, SIGIOT,
  SIGKILL, SIGPIPE, SIGPOLL, SIGPROF, SIGPWR, SIGQUIT, SIGRTMAX, SIGRTMAX-1, SIGRTMAX-10, SIGRTMAX-11,
  SIGRTMAX-12, SIGRTMAX-13, SIGRTMAX-14, SIGRTMAX-2, SIGRTMAX-3, SIGRTMAX-4, SIGRTMAX-5, SIGRTMAX-6,
  SIGRTMAX-7, SIGRTMAX-8, SIGRTMAX-9, SIGRTMIN, SIGRTMIN+1, SIGRTMIN+10, SIGRTMIN+11, SIGRTMIN+12,
  SIGRTMIN+13, SIGRTMIN+14, SIGRTMIN+15, SIGRTMIN+2, SIGRTMIN+3, SIGRTMIN+4, SIGRTMIN+5, SIGRTMIN+6,
  SIGRTMIN+7, SIGRTMIN+8, SIGRTMIN+9, SIGSEGV, SIGSTKFLT, SIGSTOP, SIGSYS, SIGTERM, SIGTRAP, SIGTSTP, SIGTTIN,
  SIGTTOU, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ
SkipNodeOperation: *, NodePrepareResources, NodeUnprepareResources
StatefulSetUpdateStrategyType: OnDelete, Recreate, RollingUpdate
StorageHealthStatusType: StorageDegraded, StorageUnreachable
SupplementalGroupsPolicy: Merge, Strict
TaintEffect: NoExecute, NoSchedule, PreferNoSchedule
TerminationMessagePolicy: FallbackToLogsOnError, File
TolerationOperator: Equal, Exists, Gt, Lt
URIScheme: HTTP, HTTPS
UnhealthyPodEvictionPolicyType: AlwaysAllow, IfHealthyBudget
UnsatisfiableConstraintAction: DoNotSchedule, ScheduleAnyway
ValidationAction: Audit, Deny, Warn
VolumeBindingMode: Immediate, WaitForFirstConsumer
VolumeHealthStatusType: DataLoss, Degraded, Inaccessible
`;

/** The values of a type by its name: `Protocol` has `SCTP`, `TCP` and `UDP`. */
export const enumTypes: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split(/\n(?! )/)
    .map((row) => {
      const [name = '', values = ''] = row.split(': ');
      return [name, values.split(',').map((value) => value.trim().replace(/\s+/g, ' '))];
    }),
);

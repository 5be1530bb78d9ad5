/** The core group `v1`, in the notation of `message-table.ts`. */
export const coreV1 = `
Affinity: 1 nodeAffinity NodeAffinity, 2 podAffinity PodAffinity, 3 podAntiAffinity PodAntiAffinity
AppArmorProfile: 1 type!! string/AppArmorProfileType, 2 localhostProfile! string
Capabilities: 1 add []string/Capability, 2 drop []string/Capability
ClientIPConfig: 1 timeoutSeconds! int32
ConfigMap: 1 metadata!! ObjectMeta, 2 data {}string, 3 binaryData {}bytes, 4 immutable! bool
ConfigMapEnvSource: 1 ... LocalObjectReference, 2 optional! bool
ConfigMapKeySelector: 1 ... LocalObjectReference, 2 key!! string, 3 optional! bool
Container: 1 name!! string, 2 image string, 3 command []string, 4 args []string, 5 workingDir string,
  6 ports []ContainerPort, 7 env []EnvVar, 8 resources!! ResourceRequirements,
  9 volumeMounts []VolumeMount, 10 livenessProbe Probe, 11 readinessProbe Probe, 12 lifecycle Lifecycle,
  13 terminationMessagePath string, 14 imagePullPolicy string/PullPolicy,
  15 securityContext SecurityContext, 16 stdin bool, 17 stdinOnce bool, 18 tty bool,
  19 envFrom []EnvFromSource, 20 terminationMessagePolicy string/TerminationMessagePolicy,
  21 volumeDevices []VolumeDevice, 22 startupProbe Probe, 23 resizePolicy []ContainerResizePolicy,
  24 restartPolicy! string/ContainerRestartPolicy, 25 restartPolicyRules []ContainerRestartRule
ContainerExtendedResourceRequest: 1 containerName!! string, 2 resourceName!! string,
  3 requestName!! string
ContainerPort: 1 name string, 2 hostPort int32, 3 containerPort!! int32, 4 protocol string/Protocol,
  5 hostIP string
ContainerResizePolicy: 1 resourceName!! string/ResourceName,
  2 restartPolicy!! string/ResourceResizeRestartPolicy
ContainerRestartRule: 1 action string/ContainerRestartRuleAction,
  2 exitCodes ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: 1 operator string/ContainerRestartRuleOnExitCodesOperator,
  2 values []int32
ContainerState: 1 waiting ContainerStateWaiting, 2 running ContainerStateRunning,
  3 terminated ContainerStateTerminated
ContainerStateRunning: 1 startedAt!! Time
ContainerStateTerminated: 1 exitCode!! int32, 2 signal int32, 3 reason string, 4 message string,
  5 startedAt!! Time, 6 finishedAt!! Time, 7 containerID string
ContainerStateWaiting: 1 reason string, 2 message string
ContainerStatus: 1 name!! string, 2 state!! ContainerState, 3 lastState!! ContainerState, 4 ready!! bool,
  5 restartCount!! int32, 6 image!! string, 7 imageID!! string, 8 containerID string, 9 started! bool,
  10 allocatedResources {}Quantity, 11 resources ResourceRequirements,
  12 volumeMounts []VolumeMountStatus, 13 user ContainerUser,
  14 allocatedResourcesStatus []ResourceStatus, 15 stopSignal! string/Signal
ContainerUser: 1 linux LinuxContainerUser
EnvFromSource: 1 prefix string, 2 configMapRef ConfigMapEnvSource, 3 secretRef SecretEnvSource
EnvVar: 1 name!! string, 2 value string, 3 valueFrom EnvVarSource
EnvVarSource: 1 fieldRef ObjectFieldSelector, 2 resourceFieldRef ResourceFieldSelector,
  3 configMapKeyRef ConfigMapKeySelector, 4 secretKeyRef SecretKeySelector, 5 fileKeyRef FileKeySelector
EphemeralContainer: 1 ... EphemeralContainerCommon, 2 targetContainerName string
EphemeralContainerCommon: 1 name!! string, 2 image string, 3 command []string, 4 args []string,
  5 workingDir string, 6 ports []ContainerPort, 7 env []EnvVar, 8 resources!! ResourceRequirements,
  9 volumeMounts []VolumeMount, 10 livenessProbe Probe, 11 readinessProbe Probe, 12 lifecycle Lifecycle,
  13 terminationMessagePath string, 14 imagePullPolicy string/PullPolicy,
  15 securityContext SecurityContext, 16 stdin bool, 17 stdinOnce bool, 18 tty bool,
  19 envFrom []EnvFromSource, 20 terminationMessagePolicy string/TerminationMessagePolicy,
  21 volumeDevices []VolumeDevice, 22 startupProbe Probe, 23 resizePolicy []ContainerResizePolicy,
  24 restartPolicy! string/ContainerRestartPolicy, 25 restartPolicyRules []ContainerRestartRule
Event: 1 metadata!! ObjectMeta, 2 involvedObject!! ObjectReference, 3 reason string, 4 message string,
  5 source!! EventSource, 6 firstTimestamp!! Time, 7 lastTimestamp!! Time, 8 count int32, 9 type string,
  10 eventTime!! MicroTime, 11 series EventSeries, 12 action string, 13 related ObjectReference,
  14 reportingComponent!! string, 15 reportingInstance!! string
EventSeries: 1 count int32, 2 lastObservedTime!! MicroTime
EventSource: 1 component string, 2 host string
ExecAction: 1 command []string
FileKeySelector: 1 volumeName!! string, 2 path!! string, 3 key!! string, 4 optional! bool
GRPCAction: 1 port!! int32, 2 service? string, 3 mode! string/GRPCProbeMode
HTTPGetAction: 1 path string, 2 port!! IntOrString, 3 host string, 4 scheme string/URIScheme,
  5 httpHeaders []HTTPHeader, 6 protocol! string/HTTPProtocol
HTTPHeader: 1 name!! string, 2 value!! string
HostAlias: 1 ip!! string, 2 hostnames []string
HostIP: 1 ip!! string
Lifecycle: 1 postStart LifecycleHandler, 2 preStop LifecycleHandler, 3 stopSignal! string/Signal
LifecycleHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction,
  4 sleep SleepAction
LinuxContainerUser: 1 uid!! int64, 2 gid!! int64, 3 supplementalGroups []int64
LoadBalancerIngress: 1 ip string, 2 hostname string, 3 ipMode! string/LoadBalancerIPMode,
  4 ports []PortStatus
LoadBalancerStatus: 1 ingress []LoadBalancerIngress
LocalObjectReference: 1 name string
Namespace: 1 metadata!! ObjectMeta, 2 spec!! NamespaceSpec, 3 status!! NamespaceStatus
NamespaceCondition: 1 type!! string/NamespaceConditionType, 2 status!! string/ConditionStatus,
  4 lastTransitionTime!! Time, 5 reason string, 6 message string
NamespaceSpec: 1 finalizers []string/FinalizerName
NamespaceStatus: 1 phase string/NamespacePhase, 2 conditions []NamespaceCondition
NodeAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector,
  2 preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
NodeSelector: 1 nodeSelectorTerms!! []NodeSelectorTerm
NodeSelectorRequirement: 1 key!! string, 2 operator!! string/NodeSelectorOperator, 3 values []string
NodeSelectorTerm: 1 matchExpressions []NodeSelectorRequirement, 2 matchFields []NodeSelectorRequirement
ObjectFieldSelector: 1 apiVersion string, 2 fieldPath!! string
ObjectReference: 1 kind string, 2 namespace string, 3 name string, 4 uid string/types.UID,
  5 apiVersion string, 6 resourceVersion string, 7 fieldPath string
Pod: 1 metadata!! ObjectMeta, 2 spec!! PodSpec, 3 status!! PodStatus
PodAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,
  2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAffinityTerm: 1 labelSelector LabelSelector, 2 namespaces []string, 3 topologyKey!! string,
  4 namespaceSelector LabelSelector, 5 matchLabelKeys []string, 6 mismatchLabelKeys []string
PodAntiAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm,
  2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodCondition: 1 type!! string/PodConditionType, 2 status!! string/ConditionStatus,
  3 lastProbeTime!! Time, 4 lastTransitionTime!! Time, 5 reason string, 6 message string,
  7 observedGeneration int64
PodDNSConfig: 1 nameservers []string, 2 searches []string, 3 options []PodDNSConfigOption
PodDNSConfigOption: 1 name string, 2 value! string
PodExtendedResourceClaimStatus: 1 requestMappings!! []ContainerExtendedResourceRequest,
  2 resourceClaimName!! string
PodIP: 1 ip!! string
PodOS: 1 name!! string/OSName
PodReadinessGate: 1 conditionType!! string/PodConditionType
PodResourceClaim: 1 name!! string, 3 resourceClaimName! string, 4 resourceClaimTemplateName! string
PodResourceClaimStatus: 1 name!! string, 2 resourceClaimName! string
PodSchedulingGate: 1 name!! string
PodSecurityContext: 1 seLinuxOptions SELinuxOptions, 2 runAsUser! int64, 3 runAsNonRoot! bool,
  4 supplementalGroups []int64, 5 fsGroup! int64, 6 runAsGroup! int64, 7 sysctls []Sysctl,
  8 windowsOptions WindowsSecurityContextOptions, 9 fsGroupChangePolicy! string/PodFSGroupChangePolicy,
  10 seccompProfile SeccompProfile, 11 appArmorProfile AppArmorProfile,
  12 supplementalGroupsPolicy! string/SupplementalGroupsPolicy,
  13 seLinuxChangePolicy! string/PodSELinuxChangePolicy
PodSpec: 1 volumes []Volume, 2 containers!! []Container, 3 restartPolicy string/RestartPolicy,
  4 terminationGracePeriodSeconds! int64, 5 activeDeadlineSeconds! int64, 6 dnsPolicy string/DNSPolicy,
  7 nodeSelector {}string, 8 serviceAccountName string, 9 serviceAccount string, 10 nodeName string,
  11 hostNetwork bool, 12 hostPID bool, 13 hostIPC bool, 14 securityContext PodSecurityContext,
  15 imagePullSecrets []LocalObjectReference, 16 hostname string, 17 subdomain string,
  18 affinity Affinity, 19 schedulerName string, 20 initContainers []Container,
  21 automountServiceAccountToken! bool, 22 tolerations []Toleration, 23 hostAliases []HostAlias,
  24 priorityClassName string, 25 priority! int32, 26 dnsConfig PodDNSConfig,
  27 shareProcessNamespace! bool, 28 readinessGates []PodReadinessGate, 29 runtimeClassName! string,
  30 enableServiceLinks! bool, 31 preemptionPolicy! string/PreemptionPolicy, 32 overhead {}Quantity,
  33 topologySpreadConstraints []TopologySpreadConstraint, 34 ephemeralContainers []EphemeralContainer,
  35 setHostnameAsFQDN! bool, 36 os PodOS, 37 hostUsers! bool, 38 schedulingGates []PodSchedulingGate,
  39 resourceClaims []PodResourceClaim, 40 resources ResourceRequirements, 41 hostnameOverride! string, 43 schedulingGroup PodSchedulingGroup,
  44 evictionResponders []EvictionResponder
PodStatus: 1 phase string/PodPhase, 2 conditions []PodCondition, 3 message string, 4 reason string,
  5 hostIP string, 6 podIP string, 7 startTime Time, 8 containerStatuses []ContainerStatus,
  9 qosClass string/PodQOSClass, 10 initContainerStatuses []ContainerStatus, 11 nominatedNodeName string,
  12 podIPs []PodIP, 13 ephemeralContainerStatuses []ContainerStatus, 14 resize string/PodResizeStatus,
  15 resourceClaimStatuses []PodResourceClaimStatus, 16 hostIPs []HostIP, 17 observedGeneration int64,
  18 extendedResourceClaimStatus PodExtendedResourceClaimStatus, 19 allocatedResources {}Quantity,
  20 resources ResourceRequirements,
  21 nodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus,
  22 volumeHealth []PodVolumeHealth
PortStatus: 1 port!! int32, 2 protocol!! string/Protocol, 3 error! string
PreferredSchedulingTerm: 1 weight!! int32, 2 preference!! NodeSelectorTerm
Probe: 1 ... ProbeHandler, 2 initialDelaySeconds int32, 3 timeoutSeconds int32, 4 periodSeconds int32,
  5 successThreshold int32, 6 failureThreshold int32, 7 terminationGracePeriodSeconds! int64
ProbeHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction, 4 grpc GRPCAction
ResourceClaim: 1 name!! string, 2 request string
ResourceFieldSelector: 1 containerName string, 2 resource!! string, 3 divisor!! Quantity
ResourceHealth: 1 resourceID!! string/ResourceID, 2 health string/ResourceHealthStatus, 6 message! string
ResourceRequirements: 1 limits {}Quantity, 2 requests {}Quantity, 3 claims []ResourceClaim
ResourceStatus: 1 name!! string/ResourceName, 2 resources []ResourceHealth
SELinuxOptions: 1 user string, 2 role string, 3 type string, 4 level string
SeccompProfile: 1 type!! string/SeccompProfileType, 2 localhostProfile! string
Secret: 1 metadata!! ObjectMeta, 2 data {}bytes, 3 type string/SecretType, 4 stringData {}string,
  5 immutable! bool
SecretEnvSource: 1 ... LocalObjectReference, 2 optional! bool
SecretKeySelector: 1 ... LocalObjectReference, 2 key!! string, 3 optional! bool
SecurityContext: 1 capabilities Capabilities, 2 privileged! bool, 3 seLinuxOptions SELinuxOptions,
  4 runAsUser! int64, 5 runAsNonRoot! bool, 6 readOnlyRootFilesystem! bool,
  7 allowPrivilegeEscalation! bool, 8 runAsGroup! int64, 9 procMount! string/ProcMountType,
  10 windowsOptions WindowsSecurityContextOptions, 11 seccompProfile SeccompProfile,
  12 appArmorProfile AppArmorProfile
Service: 1 metadata!! ObjectMeta, 2 spec!! ServiceSpec, 3 status!! ServiceStatus
ServiceAccount: 1 metadata!! ObjectMeta, 2 secrets []ObjectReference,
  3 imagePullSecrets []LocalObjectReference, 4 automountServiceAccountToken! bool
ServicePort: 1 name string, 2 protocol string/Protocol, 3 port!! int32, 4 targetPort!! IntOrString,
  5 nodePort int32, 6 appProtocol! string
ServiceSpec: 1 ports []ServicePort, 2 selector {}string, 3 clusterIP string, 4 type string/ServiceType,
  5 externalIPs []string, 7 sessionAffinity string/ServiceAffinity, 8 loadBalancerIP string,
  9 loadBalancerSourceRanges []string, 10 externalName string,
  11 externalTrafficPolicy string/ServiceExternalTrafficPolicy, 12 healthCheckNodePort int32,
  13 publishNotReadyAddresses bool, 14 sessionAffinityConfig SessionAffinityConfig,
  17 ipFamilyPolicy! string/IPFamilyPolicy, 18 clusterIPs []string, 19 ipFamilies []string/IPFamily,
  20 allocateLoadBalancerNodePorts! bool, 21 loadBalancerClass! string,
  22 internalTrafficPolicy! string/ServiceInternalTrafficPolicy, 23 trafficDistribution! string
ServiceStatus: 1 loadBalancer!! LoadBalancerStatus, 2 conditions []Condition
SessionAffinityConfig: 1 clientIP ClientIPConfig
SleepAction: 1 seconds!! int64
Sysctl: 1 name!! string, 2 value!! string
TCPSocketAction: 1 port!! IntOrString, 2 host string
Toleration: 1 key string, 2 operator string/TolerationOperator, 3 value string,
  4 effect string/TaintEffect, 5 tolerationSeconds! int64
TopologySpreadConstraint: 1 maxSkew!! int32, 2 topologyKey!! string,
  3 whenUnsatisfiable!! string/UnsatisfiableConstraintAction, 4 labelSelector LabelSelector,
  5 minDomains! int32, 6 nodeAffinityPolicy! string/NodeInclusionPolicy,
  7 nodeTaintsPolicy! string/NodeInclusionPolicy, 8 matchLabelKeys []string
TypedLocalObjectReference: 1 apiGroup? string, 2 kind!! string, 3 name!! string
TypedObjectReference: 1 apiGroup? string, 2 kind!! string, 3 name!! string, 4 namespace! string
WeightedPodAffinityTerm: 1 weight!! int32, 2 podAffinityTerm!! PodAffinityTerm
WindowsSecurityContextOptions: 1 gmsaCredentialSpecName! string, 2 gmsaCredentialSpec! string,
  3 runAsUserName! string, 4 hostProcess! bool
`;

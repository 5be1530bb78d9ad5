/**
 * What Kubernetes says is required where our tables do not tell, as `Message.field`: structs, and fields that are left
 * out of JSON where they are empty. Source: the markers required and optional of k8s.io/api, as `/openapi/v2` shows them.
 */
export const requiredStructs: ReadonlySet<string> = words(`
Condition.lastTransitionTime ContainerRestartRule.action ContainerRestartRuleOnExitCodes.operator
Event.involvedObject Event.metadata EvictionResponder.priority HTTPGetAction.port ImageVolumeStatus.imageRef
NodeAllocatableMappedResources.quantity PersistentVolumeClaimTemplate.spec PodCertificateProjection.keyType
PodCertificateProjection.signerName PreferredSchedulingTerm.preference ScaleIOPersistentVolumeSource.secretRef
ScaleIOVolumeSource.secretRef TCPSocketAction.port WeightedPodAffinityTerm.podAffinityTerm
admissionregistration.MutatingWebhook.clientConfig admissionregistration.MutatingWebhook.sideEffects
admissionregistration.ValidatingAdmissionPolicyBinding.spec
admissionregistration.ValidatingAdmissionPolicyBindingSpec.policyName
admissionregistration.ValidatingAdmissionPolicyBindingSpec.validationActions
admissionregistration.ValidatingWebhook.clientConfig admissionregistration.ValidatingWebhook.sideEffects
apps.ControllerRevision.data apps.DaemonSet.spec apps.DaemonSetSpec.selector apps.DaemonSetSpec.template
apps.Deployment.spec apps.DeploymentSpec.selector apps.DeploymentSpec.template apps.ReplicaSet.spec
apps.ReplicaSetSpec.selector apps.StatefulSet.spec apps.StatefulSetSpec.selector apps.StatefulSetSpec.template
autoscaling.v2.ContainerResourceMetricSource.target autoscaling.v2.ContainerResourceMetricStatus.current
autoscaling.v2.ExternalMetricSource.metric autoscaling.v2.ExternalMetricSource.target
autoscaling.v2.ExternalMetricStatus.current autoscaling.v2.ExternalMetricStatus.metric
autoscaling.v2.HorizontalPodAutoscaler.spec autoscaling.v2.HorizontalPodAutoscalerSpec.scaleTargetRef
autoscaling.v2.ObjectMetricSource.describedObject autoscaling.v2.ObjectMetricSource.metric
autoscaling.v2.ObjectMetricSource.target autoscaling.v2.ObjectMetricStatus.current
autoscaling.v2.ObjectMetricStatus.describedObject autoscaling.v2.ObjectMetricStatus.metric
autoscaling.v2.PodsMetricSource.metric autoscaling.v2.PodsMetricSource.target
autoscaling.v2.PodsMetricStatus.current autoscaling.v2.PodsMetricStatus.metric
autoscaling.v2.ResourceMetricSource.target autoscaling.v2.ResourceMetricStatus.current batch.CronJob.spec
batch.CronJobSpec.jobTemplate batch.JobSpec.template batch.TemplateJobSpec.template
certificates.CertificateSigningRequest.spec events.Event.eventTime flowcontrol.FlowSchema.spec
flowcontrol.FlowSchemaCondition.type flowcontrol.FlowSchemaSpec.priorityLevelConfiguration
flowcontrol.LimitedPriorityLevelConfiguration.limitResponse flowcontrol.NonResourcePolicyRule.nonResourceURLs
flowcontrol.NonResourcePolicyRule.verbs flowcontrol.PolicyRulesWithSubjects.subjects
flowcontrol.PriorityLevelConfiguration.spec flowcontrol.PriorityLevelConfigurationCondition.type
flowcontrol.ResourcePolicyRule.apiGroups flowcontrol.ResourcePolicyRule.resources
flowcontrol.ResourcePolicyRule.verbs networking.HTTPIngressPath.backend networking.HTTPIngressPath.pathType
rbac.ClusterRoleBinding.roleRef rbac.RoleBinding.roleRef resource.CapacityRequestPolicyRange.min
resource.Counter.value resource.CounterSet.counters resource.DeviceCapacity.value
resource.DeviceCounterConsumption.counters resource.OpaqueDeviceConfiguration.parameters
resource.ResourceSlice.spec resource.ResourceSliceSpec.pool storage.CSIDriver.spec storage.CSINode.spec
storage.VolumeAttachment.spec storage.VolumeAttachmentSpec.source
`);

/** Fields that are always encoded, although clients need not set them. */
export const optionalFields: ReadonlySet<string> = words(`
ContainerImage.names Event.reportingComponent Event.reportingInstance NodeRuntimeHandler.name
ProjectedVolumeSource.sources apps.ControllerRevision.revision apps.DaemonSetCondition.status
apps.DaemonSetCondition.type apps.DeploymentCondition.status apps.DeploymentCondition.type
apps.ReplicaSetCondition.status apps.ReplicaSetCondition.type apps.StatefulSetCondition.status
apps.StatefulSetCondition.type apps.StatefulSetOrdinals.start apps.StatefulSetSpec.serviceName
apps.StatefulSetStatus.availableReplicas autoscaling.v2.HorizontalPodAutoscalerStatus.currentMetrics
batch.PodFailurePolicyOnPodConditionsPattern.status discovery.EndpointSlice.endpoints
discovery.EndpointSlice.ports flowcontrol.FlowSchemaSpec.matchingPrecedence
flowcontrol.QueuingConfiguration.handSize flowcontrol.QueuingConfiguration.queueLengthLimit
flowcontrol.QueuingConfiguration.queues policy.PodDisruptionBudgetStatus.currentHealthy
policy.PodDisruptionBudgetStatus.desiredHealthy policy.PodDisruptionBudgetStatus.disruptionsAllowed
policy.PodDisruptionBudgetStatus.expectedPods rbac.ClusterRole.rules rbac.Role.rules rbac.RoleRef.apiGroup
resource.AllocatedDeviceStatus.conditions resource.DeviceClaim.requests scheduling.PriorityClass.value
storage.CSINodeDriver.topologyKeys
`);

function words(table: string): ReadonlySet<string> {
  return new Set(table.trim().split(/\s+/));
}

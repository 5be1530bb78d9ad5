/** `flowcontrol.apiserver.k8s.io/v1`, in the notation of `message-table.ts`. */
export const flowcontrolV1 = `
flowcontrol.FlowSchema: 1 metadata!! ObjectMeta, 2 spec!! flowcontrol.FlowSchemaSpec,
  3 status!! flowcontrol.FlowSchemaStatus
flowcontrol.FlowSchemaSpec: 1 priorityLevelConfiguration!! flowcontrol.PriorityLevelConfigurationReference,
  2 matchingPrecedence!! int32, 3 distinguisherMethod flowcontrol.FlowDistinguisherMethod,
  4 rules []flowcontrol.PolicyRulesWithSubjects
flowcontrol.PriorityLevelConfigurationReference: 1 name!! string
flowcontrol.FlowDistinguisherMethod: 1 type!! string/FlowDistinguisherMethodType
flowcontrol.PolicyRulesWithSubjects: 1 subjects? []flowcontrol.Subject,
  2 resourceRules []flowcontrol.ResourcePolicyRule, 3 nonResourceRules []flowcontrol.NonResourcePolicyRule
flowcontrol.Subject: 1 kind!! string/SubjectKind, 2 user flowcontrol.UserSubject, 3 group flowcontrol.GroupSubject,
  4 serviceAccount flowcontrol.ServiceAccountSubject
flowcontrol.UserSubject: 1 name!! string
flowcontrol.GroupSubject: 1 name!! string
flowcontrol.ServiceAccountSubject: 1 namespace!! string, 2 name!! string
flowcontrol.ResourcePolicyRule: 1 verbs? []string, 2 apiGroups? []string, 3 resources? []string,
  4 clusterScope bool, 5 namespaces? []string
flowcontrol.NonResourcePolicyRule: 1 verbs? []string, 6 nonResourceURLs? []string
flowcontrol.FlowSchemaStatus: 1 conditions []flowcontrol.FlowSchemaCondition
flowcontrol.FlowSchemaCondition: 1 type string/FlowSchemaConditionType, 2 status string/ConditionStatus,
  3 lastTransitionTime!! Time, 4 reason string, 5 message string
flowcontrol.PriorityLevelConfiguration: 1 metadata!! ObjectMeta, 2 spec!! flowcontrol.PriorityLevelConfigurationSpec,
  3 status!! flowcontrol.PriorityLevelConfigurationStatus
flowcontrol.PriorityLevelConfigurationSpec: 1 type!! string/PriorityLevelEnablement,
  2 limited flowcontrol.LimitedPriorityLevelConfiguration, 3 exempt flowcontrol.ExemptPriorityLevelConfiguration
flowcontrol.LimitedPriorityLevelConfiguration: 1 nominalConcurrencyShares? int32,
  2 limitResponse!! flowcontrol.LimitResponse, 3 lendablePercent! int32, 4 borrowingLimitPercent! int32
flowcontrol.ExemptPriorityLevelConfiguration: 1 nominalConcurrencyShares! int32, 2 lendablePercent! int32
flowcontrol.LimitResponse: 1 type!! string/LimitResponseType, 2 queuing flowcontrol.QueuingConfiguration
flowcontrol.QueuingConfiguration: 1 queues!! int32, 2 handSize!! int32, 3 queueLengthLimit!! int32
flowcontrol.PriorityLevelConfigurationStatus: 1 conditions []flowcontrol.PriorityLevelConfigurationCondition
flowcontrol.PriorityLevelConfigurationCondition: 1 type string/PriorityLevelConfigurationConditionType,
  2 status string/ConditionStatus, 3 lastTransitionTime!! Time, 4 reason string, 5 message string
`;

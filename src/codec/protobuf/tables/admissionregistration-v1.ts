/** `admissionregistration.k8s.io/v1`, in the notation of `message-table.ts`. */
export const admissionregistrationV1 = `
admissionregistration.ApplyConfiguration: 1 expression string
admissionregistration.AuditAnnotation: 1 key!! string, 2 valueExpression!! string
admissionregistration.ExpressionWarning: 2 fieldRef!! string, 3 warning!! string
admissionregistration.JSONPatch: 1 expression string
admissionregistration.MatchCondition: 1 name!! string, 2 expression!! string
admissionregistration.MatchResources: 1 namespaceSelector LabelSelector, 2 objectSelector LabelSelector,
  3 resourceRules []admissionregistration.NamedRuleWithOperations,
  4 excludeResourceRules []admissionregistration.NamedRuleWithOperations,
  7 matchPolicy! string/MatchPolicyType
admissionregistration.MutatingAdmissionPolicy: 1 metadata!! ObjectMeta,
  2 spec!! admissionregistration.MutatingAdmissionPolicySpec
admissionregistration.MutatingAdmissionPolicyBinding: 1 metadata!! ObjectMeta,
  2 spec!! admissionregistration.MutatingAdmissionPolicyBindingSpec
admissionregistration.MutatingAdmissionPolicyBindingSpec: 1 policyName string,
  2 paramRef admissionregistration.ParamRef, 3 matchResources admissionregistration.MatchResources
admissionregistration.MutatingAdmissionPolicySpec: 1 paramKind admissionregistration.ParamKind,
  2 matchConstraints admissionregistration.MatchResources, 3 variables []admissionregistration.Variable,
  4 mutations []admissionregistration.Mutation, 5 failurePolicy! string/FailurePolicyType,
  6 matchConditions []admissionregistration.MatchCondition, 7 reinvocationPolicy string/ReinvocationPolicyType
admissionregistration.MutatingWebhook: 1 name!! string,
  2 clientConfig!! admissionregistration.WebhookClientConfig,
  3 rules []admissionregistration.RuleWithOperations, 4 failurePolicy! string/FailurePolicyType,
  9 matchPolicy! string/MatchPolicyType, 5 namespaceSelector LabelSelector, 11 objectSelector LabelSelector,
  6 sideEffects? string/SideEffectClass, 7 timeoutSeconds! int32, 8 admissionReviewVersions!! []string,
  10 reinvocationPolicy! string/ReinvocationPolicyType, 12 matchConditions []admissionregistration.MatchCondition
admissionregistration.MutatingWebhookConfiguration: 1 metadata!! ObjectMeta,
  2 webhooks []admissionregistration.MutatingWebhook
admissionregistration.Mutation: 2 patchType!! string/PatchType,
  3 applyConfiguration admissionregistration.ApplyConfiguration, 4 jsonPatch admissionregistration.JSONPatch
admissionregistration.NamedRuleWithOperations: 1 resourceNames []string,
  2 ... admissionregistration.RuleWithOperations
admissionregistration.ParamKind: 1 apiVersion string, 2 kind string
admissionregistration.ParamRef: 1 name string, 2 namespace string, 3 selector LabelSelector,
  4 parameterNotFoundAction! string/ParameterNotFoundActionType
admissionregistration.Rule: 1 apiGroups []string, 2 apiVersions []string, 3 resources []string,
  4 scope! string/ScopeType
admissionregistration.RuleWithOperations: 1 operations []string/OperationType, 2 ... admissionregistration.Rule
admissionregistration.ServiceReference: 1 namespace!! string, 2 name!! string, 3 path! string, 4 port! int32
admissionregistration.TypeChecking: 1 expressionWarnings []admissionregistration.ExpressionWarning
admissionregistration.ValidatingAdmissionPolicy: 1 metadata!! ObjectMeta,
  2 spec!! admissionregistration.ValidatingAdmissionPolicySpec,
  3 status!! admissionregistration.ValidatingAdmissionPolicyStatus
admissionregistration.ValidatingAdmissionPolicyBinding: 1 metadata!! ObjectMeta,
  2 spec!! admissionregistration.ValidatingAdmissionPolicyBindingSpec
admissionregistration.ValidatingAdmissionPolicyBindingSpec: 1 policyName string,
  2 paramRef admissionregistration.ParamRef, 3 matchResources admissionregistration.MatchResources,
  4 validationActions []string/ValidationAction
admissionregistration.ValidatingAdmissionPolicySpec: 1 paramKind admissionregistration.ParamKind,
  2 matchConstraints admissionregistration.MatchResources, 3 validations []admissionregistration.Validation,
  4 failurePolicy! string/FailurePolicyType, 5 auditAnnotations []admissionregistration.AuditAnnotation,
  6 matchConditions []admissionregistration.MatchCondition, 7 variables []admissionregistration.Variable
admissionregistration.ValidatingAdmissionPolicyStatus: 1 observedGeneration int64,
  2 typeChecking admissionregistration.TypeChecking, 3 conditions []Condition
admissionregistration.ValidatingWebhook: 1 name!! string,
  2 clientConfig!! admissionregistration.WebhookClientConfig,
  3 rules []admissionregistration.RuleWithOperations, 4 failurePolicy! string/FailurePolicyType,
  9 matchPolicy! string/MatchPolicyType, 5 namespaceSelector LabelSelector, 10 objectSelector LabelSelector,
  6 sideEffects? string/SideEffectClass, 7 timeoutSeconds! int32, 8 admissionReviewVersions!! []string,
  11 matchConditions []admissionregistration.MatchCondition
admissionregistration.ValidatingWebhookConfiguration: 1 metadata!! ObjectMeta,
  2 webhooks []admissionregistration.ValidatingWebhook
admissionregistration.Validation: 1 expression!! string, 2 message string, 3 reason! string/StatusReason,
  4 messageExpression string
admissionregistration.Variable: 1 name!! string, 2 expression!! string
admissionregistration.WebhookClientConfig: 3 url! string, 1 service admissionregistration.ServiceReference,
  2 caBundle bytes
`;

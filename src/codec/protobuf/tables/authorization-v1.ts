/** `authorization.k8s.io/v1`, in the notation of `message-table.ts`. */
export const authorizationV1 = `
authorization.FieldSelectorAttributes: 1 rawSelector string,
  2 requirements []FieldSelectorRequirement
authorization.LabelSelectorAttributes: 1 rawSelector string,
  2 requirements []LabelSelectorRequirement
authorization.LocalSubjectAccessReview: 1 metadata ObjectMeta,
  2 spec authorization.SubjectAccessReviewSpec, 3 status authorization.SubjectAccessReviewStatus
authorization.NonResourceAttributes: 1 path string, 2 verb string
authorization.ResourceAttributes: 1 namespace string, 2 verb string, 3 group string,
  4 version string, 5 resource string, 6 subresource string, 7 name string,
  8 fieldSelector authorization.FieldSelectorAttributes,
  9 labelSelector authorization.LabelSelectorAttributes
authorization.SelfSubjectAccessReview: 1 metadata ObjectMeta,
  2 spec authorization.SelfSubjectAccessReviewSpec, 3 status authorization.SubjectAccessReviewStatus
authorization.SelfSubjectAccessReviewSpec: 1 resourceAttributes authorization.ResourceAttributes,
  2 nonResourceAttributes authorization.NonResourceAttributes
authorization.SelfSubjectRulesReview: 1 metadata ObjectMeta,
  2 spec authorization.SelfSubjectRulesReviewSpec, 3 status authorization.SubjectRulesReviewStatus
authorization.SelfSubjectRulesReviewSpec: 1 namespace string
authorization.SubjectRulesReviewStatus: 1 resourceRules []authorization.ResourceRule,
  2 nonResourceRules []authorization.NonResourceRule, 3 incomplete! bool, 4 evaluationError string
authorization.ResourceRule: 1 verbs []string, 2 apiGroups []string, 3 resources []string, 4 resourceNames []string
authorization.NonResourceRule: 1 verbs []string, 2 nonResourceURLs []string
authorization.SubjectAccessReview: 1 metadata ObjectMeta,
  2 spec authorization.SubjectAccessReviewSpec, 3 status authorization.SubjectAccessReviewStatus
authorization.SubjectAccessReviewSpec: 1 resourceAttributes authorization.ResourceAttributes,
  2 nonResourceAttributes authorization.NonResourceAttributes, 3 user string, 4 groups []string,
  5 extra {}ExtraValue, 6 uid string
authorization.SubjectAccessReviewStatus: 1 allowed! bool, 2 reason string, 3 evaluationError string,
  4 denied bool
`;

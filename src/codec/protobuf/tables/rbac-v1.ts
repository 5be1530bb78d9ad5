/** `rbac.authorization.k8s.io/v1`, in the notation of `message-table.ts`. */
export const rbacV1 = `
rbac.AggregationRule: 1 clusterRoleSelectors []LabelSelector
rbac.ClusterRole: 1 metadata!! ObjectMeta, 2 rules!! []rbac.PolicyRule,
  3 aggregationRule rbac.AggregationRule
rbac.ClusterRoleBinding: 1 metadata!! ObjectMeta, 2 subjects []rbac.Subject, 3 roleRef!! rbac.RoleRef
rbac.PolicyRule: 1 verbs!! []string, 2 apiGroups []string, 3 resources []string,
  4 resourceNames []string, 5 nonResourceURLs []string
rbac.Role: 1 metadata!! ObjectMeta, 2 rules!! []rbac.PolicyRule
rbac.RoleBinding: 1 metadata!! ObjectMeta, 2 subjects []rbac.Subject, 3 roleRef!! rbac.RoleRef
rbac.RoleRef: 1 apiGroup!! string, 2 kind!! string, 3 name!! string
rbac.Subject: 1 kind!! string, 2 apiGroup string, 3 name!! string, 4 namespace string
`;

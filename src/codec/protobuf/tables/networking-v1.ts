/** `networking.k8s.io/v1`, in the notation of `message-table.ts`. */
export const networkingV1 = `
networking.HTTPIngressPath: 1 path string, 2 backend!! networking.IngressBackend,
  3 pathType? string/PathType
networking.HTTPIngressRuleValue: 1 paths!! []networking.HTTPIngressPath
networking.IPBlock: 1 cidr!! string, 2 except []string
networking.Ingress: 1 metadata!! ObjectMeta, 2 spec!! networking.IngressSpec,
  3 status!! networking.IngressStatus
networking.IngressBackend: 3 resource TypedLocalObjectReference,
  4 service networking.IngressServiceBackend
networking.IngressClass: 1 metadata!! ObjectMeta, 2 spec!! networking.IngressClassSpec
networking.IngressClassParametersReference: 1 apiGroup! string, 2 kind!! string, 3 name!! string,
  4 scope? string, 5 namespace! string
networking.IngressClassSpec: 1 controller string, 2 parameters networking.IngressClassParametersReference
networking.IngressLoadBalancerIngress: 1 ip string, 2 hostname string,
  4 ports []networking.IngressPortStatus
networking.IngressLoadBalancerStatus: 1 ingress []networking.IngressLoadBalancerIngress
networking.IngressPortStatus: 1 port!! int32, 2 protocol!! string/Protocol, 3 error! string
networking.IngressRule: 1 host string, 2 ... networking.IngressRuleValue
networking.IngressRuleValue: 1 http networking.HTTPIngressRuleValue
networking.IngressServiceBackend: 1 name!! string, 2 port!! networking.ServiceBackendPort
networking.IngressSpec: 1 defaultBackend networking.IngressBackend, 2 tls []networking.IngressTLS,
  3 rules []networking.IngressRule, 4 ingressClassName! string
networking.IngressStatus: 1 loadBalancer!! networking.IngressLoadBalancerStatus
networking.IngressTLS: 1 hosts []string, 2 secretName string
networking.NetworkPolicy: 1 metadata!! ObjectMeta, 2 spec!! networking.NetworkPolicySpec
networking.NetworkPolicyEgressRule: 1 ports []networking.NetworkPolicyPort,
  2 to []networking.NetworkPolicyPeer
networking.NetworkPolicyIngressRule: 1 ports []networking.NetworkPolicyPort,
  2 from []networking.NetworkPolicyPeer
networking.NetworkPolicyPeer: 1 podSelector LabelSelector, 2 namespaceSelector LabelSelector,
  3 ipBlock networking.IPBlock
networking.NetworkPolicyPort: 1 protocol! string/Protocol, 2 port IntOrString, 3 endPort! int32
networking.NetworkPolicySpec: 1 podSelector!! LabelSelector,
  2 ingress []networking.NetworkPolicyIngressRule, 3 egress []networking.NetworkPolicyEgressRule,
  4 policyTypes []string/PolicyType
networking.ServiceBackendPort: 1 name string, 2 number int32
networking.IPAddress: 1 metadata!! ObjectMeta, 2 spec!! networking.IPAddressSpec
networking.IPAddressSpec: 1 parentRef networking.ParentReference
networking.ParentReference: 1 group string, 2 resource string, 3 namespace string, 4 name string
networking.ServiceCIDR: 1 metadata!! ObjectMeta, 2 spec!! networking.ServiceCIDRSpec,
  3 status!! networking.ServiceCIDRStatus
networking.ServiceCIDRSpec: 1 cidrs []string
networking.ServiceCIDRStatus: 1 conditions []Condition
`;

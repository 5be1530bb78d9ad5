/** `apiregistration.k8s.io/v1`, in the notation of `message-table.ts`. */
export const apiregistrationV1 = `
apiregistration.APIService: 1 metadata!! ObjectMeta, 2 spec!! apiregistration.APIServiceSpec,
  3 status!! apiregistration.APIServiceStatus
apiregistration.APIServiceCondition: 1 type!! string, 2 status!! string, 3 lastTransitionTime Time,
  4 reason string, 5 message string
apiregistration.APIServiceSpec: 1 service apiregistration.ServiceReference, 2 group string, 3 version string,
  4 insecureSkipTLSVerify bool, 5 caBundle bytes, 7 groupPriorityMinimum!! int32, 8 versionPriority!! int32
apiregistration.APIServiceStatus: 1 conditions []apiregistration.APIServiceCondition
apiregistration.ServiceReference: 1 namespace string, 2 name string, 3 port! int32
`;

/** `certificates.k8s.io/v1`, in the notation of `message-table.ts`. */
export const certificatesV1 = `
certificates.CertificateSigningRequest: 1 metadata!! ObjectMeta,
  2 spec!! certificates.CertificateSigningRequestSpec, 3 status!! certificates.CertificateSigningRequestStatus
certificates.CertificateSigningRequestCondition: 1 type!! string/RequestConditionType,
  6 status!! string/ConditionStatus, 2 reason string, 3 message string, 4 lastUpdateTime!! Time,
  5 lastTransitionTime!! Time
certificates.CertificateSigningRequestSpec: 1 request!! bytes, 7 signerName!! string,
  8 expirationSeconds! int32, 5 usages []string/KeyUsage, 2 username string, 3 uid string, 4 groups []string,
  6 extra {}ExtraValue
certificates.CertificateSigningRequestStatus: 1 conditions []certificates.CertificateSigningRequestCondition,
  2 certificate bytes
certificates.ClusterTrustBundle: 1 metadata!! ObjectMeta, 2 spec!! certificates.ClusterTrustBundleSpec
certificates.ClusterTrustBundleSpec: 1 signerName string, 2 trustBundle!! string
certificates.PodCertificateRequest: 1 metadata!! ObjectMeta,
  2 spec!! certificates.PodCertificateRequestSpec, 3 status!! certificates.PodCertificateRequestStatus
certificates.PodCertificateRequestSpec: 1 signerName!! string, 2 podName!! string,
  3 podUID!! string/types.UID, 4 serviceAccountName!! string, 5 serviceAccountUID!! string/types.UID,
  6 nodeName!! string/types.NodeName, 7 nodeUID!! string/types.UID, 8 maxExpirationSeconds! int32,
  12 stubPKCS10Request!! bytes, 11 unverifiedUserAnnotations {}string
certificates.PodCertificateRequestStatus: 1 conditions []Condition, 2 certificateChain string,
  4 notBefore Time, 5 beginRefreshAt Time, 6 notAfter Time
`;

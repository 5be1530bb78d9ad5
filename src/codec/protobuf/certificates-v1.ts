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
`;

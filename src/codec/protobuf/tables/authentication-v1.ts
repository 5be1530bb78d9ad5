/** `authentication.k8s.io/v1`, in the notation of `message-table.ts`. */
export const authenticationV1 = `
authentication.SelfSubjectReview: 1 metadata ObjectMeta,
  2 status authentication.SelfSubjectReviewStatus
authentication.SelfSubjectReviewStatus: 1 userInfo authentication.UserInfo
authentication.TokenReview: 1 metadata ObjectMeta, 2 spec authentication.TokenReviewSpec,
  3 status authentication.TokenReviewStatus
authentication.TokenReviewSpec: 1 token string, 2 audiences []string
authentication.TokenReviewStatus: 1 authenticated bool, 2 user authentication.UserInfo, 3 error string,
  4 audiences []string
authentication.TokenRequest: 1 metadata ObjectMeta, 2 spec authentication.TokenRequestSpec,
  3 status authentication.TokenRequestStatus
authentication.TokenRequestSpec: 1 audiences []string, 3 boundObjectRef authentication.BoundObjectReference,
  4 expirationSeconds! int64, 5 attestations {}ExtraValue
authentication.TokenRequestStatus: 1 token string, 2 expirationTimestamp Time
authentication.BoundObjectReference: 1 kind string, 2 apiVersion string, 3 name string, 4 uid string
authentication.UserInfo: 1 username string, 2 uid string, 3 groups []string, 4 extra {}ExtraValue
`;

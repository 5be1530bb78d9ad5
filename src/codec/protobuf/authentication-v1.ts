/** `authentication.k8s.io/v1`, in the notation of `message-table.ts`. */
export const authenticationV1 = `
authentication.SelfSubjectReview: 1 metadata ObjectMeta,
  2 status authentication.SelfSubjectReviewStatus
authentication.SelfSubjectReviewStatus: 1 userInfo authentication.UserInfo
authentication.UserInfo: 1 username string, 2 uid string, 3 groups []string, 4 extra {}ExtraValue
`;

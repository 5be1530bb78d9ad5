import type { AllowedRules, Authorizer } from './authorizer.ts';
import { allowed } from './authorizer.ts';

const everything: AllowedRules = Object.freeze({
  rules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
  incomplete: false,
  evaluationError: '',
});

/** `--authorization-mode=AlwaysAllow`. Source: apiserver, authorization/authorizerfactory/builtin.go. */
export const alwaysAllow: Authorizer = Object.freeze({
  authorize: () => allowed,
  rulesFor: () => everything,
});

const denied = Object.freeze({ verdict: 'no-opinion', reason: 'Everything is forbidden.' } as const);

/** `--authorization-mode=AlwaysDeny`. It has no opinion, so that authorizers after it may still allow. */
export const alwaysDeny: Authorizer = Object.freeze({
  authorize: () => denied,
  rulesFor: () => ({ rules: [], incomplete: false, evaluationError: '' }),
});

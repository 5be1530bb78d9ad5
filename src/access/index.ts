export { TokenObjects } from './token-objects.ts';
export { accessResources } from './access-resources.ts';
export { ensureBootstrapPolicy } from './ensure-bootstrap-policy.ts';
export { EscalationCheck } from './escalation-check.ts';
export { observedStore } from './observed-store.ts';
export { RulesFeed } from './rules-feed.ts';

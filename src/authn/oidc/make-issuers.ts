import { audienceAgnostic, type Authenticator } from '../../auth/index.ts';
import { ExpressionError } from '../../cel/index.ts';
import type { Clock, Timers } from '../../meta/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { ClaimMapper } from './claim-mapper.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { readsClaim } from './email-use.ts';
import { IdentityExpressions } from './expressions.ts';
import { IssuerAuthenticator } from './issuer-authenticator.ts';
import type { IssuerConfig } from './issuer-config.ts';
import { IssuerKeys } from './issuer-keys.ts';

export interface IssuersParts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** The audiences of this server, for TokenReviews. */
  readonly audiences: readonly string[];
  /** Called for issuers that cannot be reached. */
  readonly onTrouble: (error: unknown) => void;
}

/** Authenticators that hold connections or timers. */
export interface OpenAuthenticator extends Authenticator {
  close(): void;
}

/** Creates an authenticator for each issuer. @throws {ConfigurationError} for an invalid expression */
export function makeIssuers(configs: readonly IssuerConfig[], parts: IssuersParts): OpenAuthenticator[] {
  const expressions = new IdentityExpressions(parts.clock);
  // All are validated before the first one starts.
  const mappers = configs.map((config) => ({ config, mapper: makeMapper(config, expressions) }));
  return mappers.map(({ config, mapper }) => {
    const keys = new IssuerKeys(config, parts);
    const distributed = distributedClaims(config, parts);
    const issuer = new IssuerAuthenticator(config, { keys, mapper, distributed, clock: parts.clock });
    return { ...audienceAgnostic(issuer, parts.audiences), close: () => issuer.close() };
  });
}

/** As upstream, only groups can be distributed, and only if they are not mapped by an expression. */
function distributedClaims(config: IssuerConfig, parts: IssuersParts): DistributedClaims | undefined {
  const { groups } = config;
  if (groups === undefined || !('claim' in groups)) return undefined;
  const keysOf = (other: IssuerConfig) => new IssuerKeys(other, parts);
  return new DistributedClaims(groups.claim, config, { clock: parts.clock, keysOf });
}

function makeMapper(config: IssuerConfig, expressions: IdentityExpressions): ClaimMapper {
  try {
    const mapper = new ClaimMapper(config, expressions);
    const { reads, checks } = mapper.emailExpressions;
    const usesEmail = reads.some(({ expr }) => readsClaim(expr, 'email'));
    if (usesEmail && !checks.some(({ expr }) => readsClaim(expr, 'email_verified')))
      throw new ConfigurationError(`issuer ${config.url}: ${emailText}`);
    return mapper;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ConfigurationError(`issuer ${config.url}: ${error.message}`, { cause: error });
  }
}

const emailText =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

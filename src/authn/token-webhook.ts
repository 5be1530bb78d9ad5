import {
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type Credentials,
} from '../auth/index.ts';
import {
  type Clock,
  isObject,
  type JsonObject,
  type JsonValue,
  limits,
  own,
  ownObject,
  ownString,
  stringList,
  type UserInfo,
} from '../meta/index.ts';
import { type ServiceClient, WebhookError } from '../webhook/index.ts';

interface TokenWebhookOptions {
  readonly client: Pick<ServiceClient, 'post' | 'close'>;
  readonly clock: Clock;
  /** How long a response is cached. */
  readonly cacheMs: number;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
}

/** The cached response: a user, or none. */
interface Answer {
  readonly authentication: Authentication | undefined;
  readonly error: string;
}

const apiVersion = 'authentication.k8s.io/v1';

/**
 * Authenticates tokens by sending TokenReviews to a webhook. Responses are cached for valid and invalid tokens.
 * Source: apiserver, plugin/pkg/authenticator/token/webhook.
 */
export class TokenWebhook implements Authenticator {
  readonly #options: TokenWebhookOptions;
  readonly #kept = new Map<string, { readonly answer: Answer; readonly untilMs: number }>();
  readonly #asking = new Map<string, Promise<Answer>>();

  constructor(options: TokenWebhookOptions) {
    this.#options = options;
  }

  authenticate({
    bearerToken,
    audiences,
  }: Credentials): Authentication | undefined | Promise<Authentication | undefined> {
    if (bearerToken === '') return undefined;
    const asked = audiences ?? this.#options.audiences;
    const key = JSON.stringify([bearerToken, asked]);
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#options.clock.now() < kept.untilMs) return userOf(kept.answer);
    return this.#askOnce(key, bearerToken, asked).then(userOf);
  }

  close(): void {
    this.#options.client.close();
  }

  /** Concurrent requests with the same token share one call. */
  #askOnce(key: string, token: string, audiences: readonly string[]): Promise<Answer> {
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    const answering = this.#ask(token, audiences)
      .then((answer) => {
        const untilMs = this.#options.clock.now() + this.#options.cacheMs;
        if (this.#kept.size >= limits.knownTokensMax) this.#kept.clear();
        this.#kept.set(key, { answer, untilMs });
        return answer;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, answering);
    return answering;
  }

  async #ask(token: string, audiences: readonly string[]): Promise<Answer> {
    const spec = { token, ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) };
    try {
      const review = await this.#options.client.post({
        kind: 'TokenReview',
        apiVersion,
        metadata: { creationTimestamp: null },
        spec,
      });
      return readAnswer(ownObject(review, 'status') ?? {}, audiences);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      throw new BadCredentialsError(`token webhook: ${error.message}`, { cause: error });
    }
  }
}

/** @throws {BadCredentialsError} if the webhook gives a reason */
function userOf({ authentication, error }: Answer): Authentication | undefined {
  if (authentication === undefined && error !== '') throw new BadCredentialsError(error);
  return authentication;
}

/** A webhook that does not support audiences has authenticated for this server. */
function readAnswer(status: JsonObject, asked: readonly string[]): Answer {
  const error = ownString(status, 'error') ?? '';
  if (own(status, 'authenticated') !== true) return { authentication: undefined, error };
  const named = stringList(own(status, 'audiences'));
  const audiences = named.length === 0 ? asked : asked.filter((one) => named.includes(one));
  if (asked.length > 0 && audiences.length === 0) return { authentication: undefined, error };
  const user = readUser(ownObject(status, 'user') ?? {});
  return { authentication: Object.freeze({ user, audiences }), error: '' };
}

function readUser(user: JsonObject): UserInfo {
  const uid = ownString(user, 'uid') ?? '';
  const extra = new Map(
    Object.entries(ownObject(user, 'extra') ?? {}).map(([key, values]) => [
      key.toLowerCase(),
      stringList(values as JsonValue),
    ]),
  );
  return Object.freeze({
    name: ownString(user, 'username') ?? '',
    ...(uid === '' ? {} : { uid }),
    groups: Object.freeze(stringList(own(user, 'groups'))),
    ...(extra.size === 0 || !isObject(user) ? {} : { extra }),
  });
}

import type { Command } from 'commander';
import type { Authorizer } from '../../auth/index.ts';
import {
  AccessConditions,
  readAuthorizationConfiguration,
  type WebhookConfig,
  WebhookAuthorizer,
} from '../../authz/index.ts';
import { type Clock, limits } from '../../meta/index.ts';
import { type AuthorizationMode, authorizationModes, type ReplaceModes } from '../../server.ts';
import { ServiceClient } from '../../webhook/index.ts';
import { serviceOfFlag } from './authentication-flags.ts';
import type { AuthorizerName } from './authorization-flag.ts';
import { durationOption } from './duration.ts';
import { followFile, type Reloading } from './followed-file.ts';
import { readFlagFile } from './flag-file.ts';

/** kube-apiserver's authorizer flags. */
export interface AuthorizationFlags {
  readonly authorizationMode?: readonly AuthorizerName[];
  readonly authorizationConfig?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
}

export function addAuthorizationFlags(command: Command): Command {
  const cache = '--authorization-webhook-cache';
  return command
    .option(
      '--authorization-config <file>',
      'AuthorizationConfiguration file, instead of --authorization-mode',
    )
    .option(
      '--authorization-webhook-config-file <file>',
      'kubeconfig of the webhook of the Webhook authorizer',
    )
    .addOption(
      durationOption(`${cache}-authorized-ttl <time>`, 'how long "allowed" answers are cached', '5m0s'),
    )
    .addOption(
      durationOption(`${cache}-unauthorized-ttl <time>`, 'how long other answers are cached', '30s'),
    );
}

type Authorizers = readonly (AuthorizationMode | Authorizer)[];

/** The server options from the flags. */
interface AuthorizationChoice {
  readonly authorizationModes: Authorizers;
  readonly onAuthorizationModes?: (replace: ReplaceModes) => void;
}

/**
 * The authorizers that the flags name, in order. A configuration file is read again when it changes.
 *
 * @throws {Error} that names the flag, for invalid files and flags that exclude each other
 */
export async function authorizationChoice(
  flags: AuthorizationFlags,
  reloading: Reloading,
): Promise<AuthorizationChoice> {
  const { clock } = reloading;
  const { authorizationMode: modes, authorizationConfig: file, authorizationWebhookConfigFile } = flags;
  if (file === undefined) {
    const named = (modes ?? ['RBAC']).map((mode) => ofFlags(mode, flags, clock));
    return { authorizationModes: await Promise.all(named) };
  }
  if (modes !== undefined || authorizationWebhookConfigFile !== undefined)
    throw new Error(
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    );
  const text = await readFlagFile(configFlag, file);
  try {
    return followed({ path: file, text, first: await configured(text, clock) }, reloading);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${configFlag} ${file}: ${why}`, { cause: error });
  }
}

const configFlag = '--authorization-config';

async function configured(text: string, clock: Clock): Promise<Authorizers> {
  const configs = readAuthorizationConfiguration(text, authorizationModes);
  return Promise.all(
    configs.map(({ type, webhook }) => (webhook ? makeWebhook(webhook, clock) : modeOf(type))),
  );
}

interface FirstAuthorizers {
  readonly path: string;
  readonly text: string;
  readonly first: Authorizers;
}

/**
 * Only webhooks may change: an authorizer that is missing by mistake would change everybody's permissions.
 * Source: kubernetes, pkg/kubeapiserver/authorizer/config.go and reload.go.
 */
function followed({ path, text, first }: FirstAuthorizers, reloading: Reloading): AuthorizationChoice {
  const needed = first.filter((one) => typeof one === 'string').sort();
  let before = first;
  const onAuthorizationModes = (replace: ReplaceModes) => {
    const use = async (now: string) => {
      const next = await configured(now, reloading.clock);
      const missing = needed.filter((mode) => !next.includes(mode));
      if (missing.length > 0) throw new Error(`missing required types: [${missing.join(' ')}]`);
      replace(next);
      closeLater(before, reloading);
      before = next;
    };
    followFile({ what: 'authorization', flag: configFlag, path, text, use }, reloading);
  };
  return { authorizationModes: first, onAuthorizationModes };
}

/** The time that webhooks have to answer pending requests. */
function closeLater(authorizers: Authorizers, { timers }: Reloading): void {
  timers.after(limits.reviewTimeoutMs, () => {
    for (const one of authorizers) if (one instanceof WebhookAuthorizer) one.close();
  });
}

function modeOf(type: string): AuthorizationMode {
  const mode = authorizationModes.find((one) => one === type);
  if (mode === undefined) throw new Error(`there is no authorizer ${type}`);
  return mode;
}

async function ofFlags(
  mode: AuthorizerName,
  flags: AuthorizationFlags,
  clock: Clock,
): Promise<AuthorizationMode | Authorizer> {
  if (mode !== 'Webhook') return mode;
  const { authorizationWebhookConfigFile: kubeconfigFile } = flags;
  if (kubeconfigFile === undefined)
    throw new Error("authorization-mode Webhook's authorization config file not passed");
  const config: WebhookConfig = {
    kubeconfigFile,
    allowedMs: flags.authorizationWebhookCacheAuthorizedTtl,
    otherMs: flags.authorizationWebhookCacheUnauthorizedTtl,
    timeoutMs: limits.reviewTimeoutMs,
    onFailure: 'no-opinion',
    conditions: [],
  };
  return makeWebhook(config, clock);
}

async function makeWebhook(config: WebhookConfig, clock: Clock): Promise<Authorizer> {
  const service = await serviceOfFlag('--authorization-webhook-config-file', config.kubeconfigFile);
  const client = new ServiceClient(service, { timeoutMs: config.timeoutMs });
  const conditions = new AccessConditions(config.conditions, clock);
  return new WebhookAuthorizer({ ...config, client, conditions, clock });
}

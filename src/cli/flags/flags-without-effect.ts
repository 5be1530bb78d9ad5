import type { Command } from 'commander';

/** Flags that do nothing without another one. */
interface DependentFlags {
  /** The names of options as commander has them. */
  readonly needed: string;
  readonly names: RegExp;
}

const dependentFlags: readonly DependentFlags[] = [
  { needed: 'etcdServers', names: /^etcd(Prefix|Cafile|Certfile|Keyfile|Username|PasswordFile)$/ },
  { needed: 'postgres', names: /^postgres[A-Z]/ },
  { needed: 'requestheaderClientCaFile', names: /^requestheader/ },
  { needed: 'authenticationTokenWebhookConfigFile', names: /^authenticationTokenWebhook/ },
  { needed: 'authorizationWebhookConfigFile', names: /^authorizationWebhook/ },
  { needed: 'auditPolicyFile', names: /^audit(LogPath|WebhookConfigFile)$/ },
  { needed: 'auditLogPath', names: /^auditLog/ },
  { needed: 'auditWebhookConfigFile', names: /^auditWebhook/ },
];

/** A sentence about each group of accepted flags that have no effect on a command line; flags as users type them. */
export function flagsWithoutEffect(command: Command): string[] {
  return dependentFlags.flatMap(({ needed, names }) => {
    if (command.getOptionValue(needed) !== undefined) return [];
    const given = command.options.filter((option) => isGiven(command, option.attributeName(), names));
    const flags = given.map((option) => option.long ?? option.flags);
    return flags.length === 0
      ? []
      : [`without ${longOf(command, needed)}, these flags do nothing: ${flags.join(', ')}`];
  });
}

function longOf(command: Command, name: string): string {
  return command.options.find((option) => option.attributeName() === name)?.long ?? name;
}

function isGiven(command: Command, name: string, names: RegExp): boolean {
  return names.test(name) && command.getOptionValueSource(name) === 'cli';
}

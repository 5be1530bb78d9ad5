import { pluginNames } from '../../admission/index.ts';

function names(isDefault: boolean): string {
  return pluginNames
    .filter((plugin) => plugin.isDefault === isDefault)
    .map(({ name }) => name)
    .join(', ');
}

export function enablePluginsHelp(): string {
  return `admission plugins to turn on besides those that are on: ${names(false)}`;
}

export function disablePluginsHelp(): string {
  return `admission plugins to leave out of those that are on: ${names(true)}`;
}

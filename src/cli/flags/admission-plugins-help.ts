import { pluginNames } from '../../admission/index.ts';

function names(isDefault: boolean): string {
  return pluginNames
    .filter((plugin) => plugin.isDefault === isDefault)
    .map(({ name }) => name)
    .join(', ');
}

export function enablePluginsHelp(): string {
  return `admission plugins to enable in addition to the defaults: ${names(false)}`;
}

export function disablePluginsHelp(): string {
  return `default admission plugins to disable: ${names(true)}`;
}

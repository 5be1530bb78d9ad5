import { Option } from 'commander';

/** The flags of commands that read manifests. */
export const sourcesHelp =
  "files, folders, 'patterns/**/*.yaml', URLs, git:REVISION:PATH, kube://CONTEXT/RESOURCES, or `-`";

/** kubectl's name for the same flag. */
export function filenameOption(): Option {
  return new Option('-f, --filename <source>', 'another path, as with kubectl; repeatable')
    .argParser((source: string, previous: readonly string[]) => [...previous, source])
    .default([]);
}

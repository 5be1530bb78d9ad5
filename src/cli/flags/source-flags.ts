import { Option } from 'commander';

/** What commands that read manifests take. */
export const sourcesHelp =
  "files, folders, 'patterns/**/*.yaml', URLs, git:REVISION:PATH, kube://CONTEXT/RESOURCES, or `-`";

/** kubectl's flag for the same, for those who type it without thinking. */
export function filenameOption(): Option {
  return new Option('-f, --filename <source>', 'one more of them, as kubectl has it; repeatable')
    .argParser((source: string, previous: readonly string[]) => [...previous, source])
    .default([]);
}

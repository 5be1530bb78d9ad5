import { InvalidArgumentError } from 'commander';
import { parseServiceMap, ServiceMapError } from '../../webhook/index.ts';

/** Parses `--service`, which may be repeated: the addresses of services. */
export function serviceFlag(
  text: string,
  previous: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  try {
    const given = Object.entries(previous).map(([service, url]) => `${service}=${url}`);
    const services = parseServiceMap([...given, text]);
    return Object.fromEntries([...services].map(([service, url]) => [service, url.origin]));
  } catch (error) {
    if (!(error instanceof ServiceMapError)) throw error;
    throw new InvalidArgumentError(`${error.message}.`);
  }
}

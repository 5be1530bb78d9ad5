import type { Authenticator } from '../auth/index.ts';
import type { Console } from '../console/index.ts';
import type { HandlerParts, RequestFilter } from '../http/index.ts';
import { systemClock } from '../meta/index.ts';
import type { ServerOptions } from './options.ts';

/** Two folders up from here, and from the bundle alike. */
const consoleFiles = new URL('../../dist/console/', import.meta.url);

/** The console of a server that has one; its code is loaded here, its pages when they are asked for. */
export async function makeConsole(
  { console: isOn = false, clock = systemClock }: ServerOptions,
  address: { readonly url: string },
): Promise<Console | undefined> {
  if (!isOn) return undefined;
  const room = await import('../console/index.ts');
  return new room.Console({ clock, address, folder: consoleFiles });
}

/** Where requests meet the console: pages before anybody is asked who sends them, links among what RBAC protects. */
export function consoleEndpoints(
  web: Console | undefined,
  signIn: Authenticator,
): { readonly pages: HandlerParts['pages']; readonly filters: readonly RequestFilter[] } {
  if (web === undefined) return { pages: undefined, filters: [] };
  const codes = web.codes(signIn);
  return {
    pages: web.pages(signIn),
    filters: [async ({ http, user }, next) => (await codes(http, user)) ?? next()],
  };
}

import type { Authenticator } from '../auth/index.ts';
import type { ActivityFacts, Console, ConsoleMemory } from '../console/index.ts';
import type { HandlerParts, RequestFilter, SlowRequest, SlowRequests } from '../http/index.ts';
import { formatTime, systemClock } from '../meta/index.ts';
import type { ServerOptions } from './options.ts';

/** Two folders up, from the source and from the bundle. */
const consoleFiles = new URL('../../dist/console/', import.meta.url);

/** Loads the console of a server, if it has one. Its code is loaded here, its pages on the first request. */
export async function makeConsole(
  { console: isOn = false, consoleLogin: provider, clock = systemClock, threads }: ServerOptions,
  address: { readonly url: string },
): Promise<Console | undefined> {
  if (!isOn) return undefined;
  const room = await import('../console/index.ts');
  const memory = threads && ((own: () => ConsoleMemory) => threads.consoleMemory(own));
  const gather = threads?.gather;
  return new room.Console({ clock, address, folder: consoleFiles, provider, memory, gather });
}

/** How requests reach the console: its pages without authentication, the links behind RBAC. */
export function consoleEndpoints(
  web: Console | undefined,
  signIn: Authenticator,
  facts: ActivityFacts,
): { readonly pages: HandlerParts['pages']; readonly filters: readonly RequestFilter[] } {
  if (web === undefined) return { pages: undefined, filters: [] };
  web.useSignIn(signIn);
  const codes = web.codes();
  return {
    pages: web.pages(),
    filters: [
      async ({ http, user }, next) =>
        (await codes(http, user)) ?? (await web.activity.respond(http, facts)) ?? next(),
    ],
  };
}

/** Reads of the kept events would soon be all of them. They are in the audit log. */
const ownReads = '"requestURI":"/ilk/v1/server/';

/** The slow request log and the audit log of a server, with the console among their readers if there is one. */
export function withConsole(
  web: Console | undefined,
  { slowRequests, auditor, clock = systemClock }: ServerOptions,
): { readonly slow?: SlowRequests; readonly auditor: HandlerParts['auditor'] } {
  if (web === undefined) return { ...(slowRequests && { slow: slowRequests }), auditor };
  const { activity } = web;
  const slow = slowRequests && {
    fromMs: slowRequests.fromMs,
    onSlow: (request: SlowRequest) => {
      activity.note('slowRequests', JSON.stringify({ time: formatTime(clock.now()), ...request }));
      slowRequests.onSlow(request);
    },
  };
  const recent = {
    write: (events: readonly string[]) => {
      for (const event of events) if (!event.includes(ownReads)) activity.note('auditEvents', event);
    },
    close: async () => {},
  };
  return { ...(slow && { slow }), auditor: auditor?.withBackend(recent) };
}

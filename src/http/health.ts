import { type HttpRequest, type HttpResponse, plainText } from './message.ts';

/** A health check; it throws with the reason if it fails. */
interface HealthCheck {
  readonly name: string;
  check(): Promise<void>;
}

/** The checks behind each of the three probes. */
export interface HealthChecks {
  readonly healthz: readonly HealthCheck[];
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
}

const probes = ['healthz', 'livez', 'readyz'] as const;
type Probe = (typeof probes)[number];

/**
 * Serves `/healthz`, `/livez`, `/readyz`, each with `?verbose`, `?exclude=name` and `/name` for a single check.
 * Undefined for any other path. Source: apiserver, server/healthz.
 */
export async function healthResponse(
  checks: HealthChecks,
  request: HttpRequest,
): Promise<HttpResponse | undefined> {
  const [, root = '', name, more] = request.path.split('/');
  const probe = probes.find((candidate) => candidate === root);
  if (probe === undefined || more !== undefined) return undefined;
  const all = checks[probe];
  if (name === undefined) return runAll(probe, all, request.query);
  const one = all.find((check) => check.name === name);
  return one === undefined ? undefined : runOne(one);
}

async function runOne(check: HealthCheck): Promise<HttpResponse> {
  const failure = await failureOf(check);
  if (failure === undefined) return plainText(200, 'ok');
  return plainText(500, `internal server error: ${failure}\n`);
}

async function failureOf(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runAll(
  probe: Probe,
  checks: readonly HealthCheck[],
  query: URLSearchParams,
): Promise<HttpResponse> {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const failure = await failureOf(check);
    failed ||= failure !== undefined;
    lines.push(failure === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => JSON.stringify(name)).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  if (failed) return plainText(500, `${lines.join('\n')}\n${probe} check failed\n`);
  return query.has('verbose')
    ? plainText(200, `${lines.join('\n')}\n${probe} check passed\n`)
    : plainText(200, 'ok');
}

import type { KnownRequest } from '../filter.ts';
import { tooManyRequests } from '../too-many-requests.ts';
import { InFlight } from './in-flight.ts';
import type { Admission, OverloadGate, Rejection } from './overload-gate.ts';

const free: Admission = Object.freeze({ headers: undefined, leave: () => {} });

/**
 * Limits concurrent reads and writes, regardless of the user; watches do not count. Source: apiserver,
 * filters/maxinflight.go.
 */
export class InFlightGate implements OverloadGate {
  readonly #reads: InFlight;
  readonly #writes: InFlight;

  constructor(limits: { readonly inFlightReadMax: number; readonly inFlightWriteMax: number }) {
    this.#reads = new InFlight(limits.inFlightReadMax);
    this.#writes = new InFlight(limits.inFlightWriteMax);
  }

  enter({ verb, http }: KnownRequest): Admission | Rejection {
    if (verb === 'watch') return free;
    const lane = http.method === 'GET' || http.method === 'HEAD' ? this.#reads : this.#writes;
    if (!lane.enter()) return { response: tooManyRequests() };
    return { headers: undefined, leave: () => lane.leave() };
  }
}

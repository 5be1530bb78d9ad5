/**
 * How far OpenSSL's clock is behind: it reads time(2), which Linux answers from its coarse clock, updated once a tick (4 ms
 * at 250 Hz, 10 ms at 100 Hz).
 */
const coarseClockLagMsMax = 10;

interface Clock {
  /** The precise time, in ms since 1970. */
  readonly now: () => number;
  readonly wait: (call: () => void, ms: number) => void;
}

/** OpenSSL uses the time of the machine, so this does too. */
const machineClock: Clock = { now: () => Date.now(), wait: (call, ms) => void setTimeout(call, ms) };

/**
 * Calls back once OpenSSL's clock has reached the current second: at once, except in the first milliseconds of a second.
 * A handshake that starts then would refuse a client certificate issued a moment ago as not yet valid: envtest's
 * `AddUser` issues one that is valid from the current second and connects at once.
 */
export function afterSecond(call: () => void, clock: Clock = machineClock): void {
  const sinceSecondMs = clock.now() % 1000;
  if (sinceSecondMs >= coarseClockLagMsMax) call();
  else clock.wait(() => afterSecond(call, clock), coarseClockLagMsMax - sinceSecondMs);
}

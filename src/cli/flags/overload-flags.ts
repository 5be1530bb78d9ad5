import { type Command, Option } from 'commander';
import { limits } from '../../meta/index.ts';
import { numberRules, type ServerOptions } from '../../server.ts';
import { durationFlag } from './duration.ts';
import { numberFlag } from './number-flag.ts';

/** The overload flags, as parsed by commander. */
export interface OverloadFlags {
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly requestTimeout: number;
}

/** Adds kube-apiserver's flags for the number of requests in flight, and for priority and fairness. */
export function addOverloadFlags(command: Command): Command {
  const fair = new Option(
    '--enable-priority-and-fairness [bool]',
    'classify requests by FlowSchemas and queue them fairly; false only counts them',
  );
  const reads = new Option('--max-requests-inflight <count>', 'requests that read and run at once');
  const writes = new Option(
    '--max-mutating-requests-inflight <count>',
    'requests that write and run at once',
  );
  const timeout = new Option(
    '--request-timeout <duration>',
    'how long a request may take that is no watch; clients may ask for less by ?timeout=',
  );
  return command
    .addOption(fair.argParser((text) => text.toLowerCase() !== 'false').default(true))
    .addOption(reads.argParser(count).default(limits.inFlightReadMax))
    .addOption(writes.argParser(count).default(limits.inFlightWriteMax))
    .addOption(timeout.argParser(durationFlag).default(60_000, '1m0s'));
}

const count = numberFlag(numberRules.requests);

type OverloadChoice = Pick<
  ServerOptions,
  'priorityAndFairness' | 'maxRequestsInFlight' | 'maxMutatingRequestsInFlight' | 'requestTimeoutMs'
>;

/** The server options from the flags. */
export function overloadChoice(flags: OverloadFlags): OverloadChoice {
  return {
    priorityAndFairness: flags.enablePriorityAndFairness,
    maxRequestsInFlight: flags.maxRequestsInflight,
    maxMutatingRequestsInFlight: flags.maxMutatingRequestsInflight,
    ...(flags.requestTimeout > 0 && { requestTimeoutMs: flags.requestTimeout }),
  };
}

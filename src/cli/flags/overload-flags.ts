import { type Command, Option } from 'commander';
import { limits } from '../../meta/index.ts';
import { numberRules, type ServerOptions } from '../../server.ts';
import { durationOption } from './duration.ts';
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
    'classify requests by FlowSchemas and queue them fairly; false applies only the two in-flight limits',
  );
  const reads = new Option('--max-requests-inflight <count>', 'maximum number of read requests in flight');
  const writes = new Option(
    '--max-mutating-requests-inflight <count>',
    'maximum number of write requests in flight',
  );
  const timeout = durationOption(
    '--request-timeout <duration>',
    'time limit of a request that is not a watch; ?timeout= may set a shorter limit',
    '1m0s',
  );
  return command
    .addOption(fair.argParser((text) => text.toLowerCase() !== 'false').default(true))
    .addOption(reads.argParser(count).default(limits.inFlightReadMax))
    .addOption(writes.argParser(count).default(limits.inFlightWriteMax))
    .addOption(timeout);
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

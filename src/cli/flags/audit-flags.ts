import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type AuditBackend,
  Auditor,
  AuditPolicy,
  auditWebhook,
  BatchedBackend,
  forgiving,
  LogFile,
  StandardOutput,
  truncating,
} from '../../audit/index.ts';
import { type Clock, limits, type Timers } from '../../meta/index.ts';
import { FirstThread, FurtherThread, ThreadAuditBackend } from '../../server.ts';
import { ServiceClient } from '../../webhook/index.ts';
import { serviceOfFlag } from './authentication-flags.ts';
import { durationOption } from './duration.ts';
import { readFlagFile } from './flag-file.ts';

const modes = ['batch', 'blocking', 'blocking-strict'] as const;
type Mode = (typeof modes)[number];

/** kube-apiserver's audit flags. */
export interface AuditFlags {
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  /** In megabytes; 0 means 100. */
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  /** In days. */
  readonly auditLogMaxage: number;
  readonly auditLogMode: Mode;
  readonly auditLogBatchBufferSize: number;
  readonly auditLogBatchMaxSize: number;
  readonly auditLogBatchMaxWait: number;
  readonly auditLogTruncateEnabled?: boolean;
  /** In bytes. */
  readonly auditLogTruncateMaxBatchSize: number;
  readonly auditLogTruncateMaxEventSize: number;
  readonly auditWebhookConfigFile?: string;
  readonly auditWebhookMode: Mode;
  readonly auditWebhookBatchBufferSize: number;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWait: number;
  readonly auditWebhookTruncateEnabled?: boolean;
  readonly auditWebhookTruncateMaxBatchSize: number;
  readonly auditWebhookTruncateMaxEventSize: number;
}

export function addAuditFlags(command: Command): Command {
  const described = command
    .option('--audit-policy-file <file>', 'audit Policy file: which requests are logged, at which level')
    .option('--audit-log-path <file>', 'audit log file, one JSON line for each event; - is standard output')
    .option('--audit-log-maxsize <megabytes>', 'size at which the log file is rotated; 0 means 100', count, 0)
    .option('--audit-log-maxbackup <number>', 'number of rotated files to keep; 0 keeps all', count, 0)
    .option('--audit-log-maxage <days>', 'age at which rotated files are deleted; 0 keeps all', count, 0)
    .option('--audit-webhook-config-file <file>', 'kubeconfig of a webhook that receives events');
  const log = addBatchFlags(described, 'log', { mode: 'blocking', maxSize: 1, maxWait: '0' });
  return addBatchFlags(log, 'webhook', { mode: 'batch', maxSize: 400, maxWait: '30s' });
}

interface BatchDefaults {
  readonly mode: Mode;
  readonly maxSize: number;
  /** In the syntax of Go flags. */
  readonly maxWait: string;
}

function addBatchFlags(
  command: Command,
  backend: string,
  { mode, maxSize, maxWait }: BatchDefaults,
): Command {
  const flag = `--audit-${backend}`;
  return command
    .addOption(
      new Option(
        `${flag}-mode <mode>`,
        'batch: events are buffered; blocking: a response waits until its events are written; blocking-strict: a request waits too, and fails if they cannot be written',
      )
        .choices(modes)
        .default(mode),
    )
    .option(`${flag}-batch-buffer-size <number>`, 'events that the buffer holds in batch mode', count, 10_000)
    .option(`${flag}-batch-max-size <number>`, 'maximum number of events in a batch', count, maxSize)
    .addOption(
      durationOption(`${flag}-batch-max-wait <duration>`, 'how long a batch waits for more events', maxWait),
    )
    .option(`${flag}-truncate-enabled`, 'remove request and response objects from events that are too large')
    .option(`${flag}-truncate-max-event-size <bytes>`, 'maximum size of an event', count, 102_400)
    .option(`${flag}-truncate-max-batch-size <bytes>`, 'maximum size of a batch', count, 10_485_760);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('not a number.');
  return value;
}

interface AuditParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onTrouble: (error: unknown) => void;
  /** The threads of the server, if there are several: the first one writes the events of all. */
  readonly threads?: FirstThread | FurtherThread | undefined;
}

/** @throws {Error} that names the flag, for an invalid policy or file */
export async function auditorOf(flags: AuditFlags, parts: AuditParts): Promise<Auditor | undefined> {
  const { auditPolicyFile: file } = flags;
  if (file === undefined) return undefined;
  const policy = parsePolicy(file, await readFlagFile('--audit-policy-file', file));
  const { clock, onTrouble, threads } = parts;
  const isFurther = threads instanceof FurtherThread;
  const backends = isFurther ? backendsOf(threads, flags, parts) : await ownBackends(flags, parts);
  if (threads instanceof FirstThread) threads.useAuditBackends(backends);
  return new Auditor({ policy, backends, clock, onTrouble });
}

/** The destinations, in the order of {@link backendsOf}. */
async function ownBackends(flags: AuditFlags, parts: AuditParts): Promise<AuditBackend[]> {
  const backends = [logBackend(flags, parts), await webhookBackend(flags, parts)];
  return backends.filter((one) => one !== undefined);
}

/** The destinations of the first thread, for another one. */
function backendsOf(thread: FurtherThread, flags: AuditFlags, { onTrouble }: AuditParts): AuditBackend[] {
  const modesOfBackends = [
    ...(flags.auditLogPath === undefined ? [] : [flags.auditLogMode]),
    ...(flags.auditWebhookConfigFile === undefined ? [] : [flags.auditWebhookMode]),
  ];
  return modesOfBackends.map((mode, backend) => {
    const waits = { isForgiving: mode === 'blocking', isQueued: mode === 'batch' };
    return new ThreadAuditBackend(thread, { backend, ...waits, onTrouble });
  });
}

function parsePolicy(file: string, text: string): AuditPolicy {
  try {
    return AuditPolicy.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`--audit-policy-file ${file}: ${why}`, { cause: error });
  }
}

function logBackend(flags: AuditFlags, parts: AuditParts): AuditBackend | undefined {
  const { auditLogPath: path, auditLogMaxsize: megabytes } = flags;
  if (path === undefined) return undefined;
  const batch = {
    mode: flags.auditLogMode,
    bufferSize: flags.auditLogBatchBufferSize,
    batchSize: flags.auditLogBatchMaxSize,
    waitMs: flags.auditLogBatchMaxWait,
    truncation: truncationOf('log', {
      isOn: flags.auditLogTruncateEnabled,
      eventBytesMax: flags.auditLogTruncateMaxEventSize,
      batchBytesMax: flags.auditLogTruncateMaxBatchSize,
    }),
  };
  if (path === '-') return inMode(new StandardOutput(), batch, parts);
  const file = new LogFile({
    path,
    bytesMax: (megabytes || 100) * 1024 * 1024,
    backupsMax: flags.auditLogMaxbackup,
    ageMsMax: flags.auditLogMaxage * 24 * 60 * 60 * 1000,
    clock: parts.clock,
  });
  return inMode(file, batch, parts);
}

async function webhookBackend(flags: AuditFlags, parts: AuditParts): Promise<AuditBackend | undefined> {
  const { auditWebhookConfigFile: file } = flags;
  if (file === undefined) return undefined;
  const service = await serviceOfFlag('--audit-webhook-config-file', file);
  const client = new ServiceClient(service, { timeoutMs: limits.reviewTimeoutMs });
  const batch = {
    mode: flags.auditWebhookMode,
    bufferSize: flags.auditWebhookBatchBufferSize,
    batchSize: flags.auditWebhookBatchMaxSize,
    waitMs: flags.auditWebhookBatchMaxWait,
    truncation: truncationOf('webhook', {
      isOn: flags.auditWebhookTruncateEnabled,
      eventBytesMax: flags.auditWebhookTruncateMaxEventSize,
      batchBytesMax: flags.auditWebhookTruncateMaxBatchSize,
    }),
  };
  return inMode(auditWebhook(client), batch, parts);
}

interface Truncation {
  readonly eventBytesMax: number;
  readonly batchBytesMax: number;
}

/** Source: apiserver, pkg/server/options/audit.go. @throws {Error} for invalid sizes */
function truncationOf(
  backend: string,
  { isOn = false, ...sizes }: Truncation & { readonly isOn: boolean | undefined },
): Truncation | undefined {
  if (!isOn) return undefined;
  const what = `invalid audit truncate ${backend} max`;
  if (sizes.eventBytesMax <= 0)
    throw new Error(`${what} event size ${sizes.eventBytesMax}, must be a positive number`);
  if (sizes.batchBytesMax < sizes.eventBytesMax)
    throw new Error(
      `${what} batch size ${sizes.batchBytesMax}, must be greater than max event size (${sizes.eventBytesMax})`,
    );
  return sizes;
}

interface Batch {
  readonly truncation: Truncation | undefined;
  readonly mode: Mode;
  readonly bufferSize: number;
  readonly batchSize: number;
  readonly waitMs: number;
}

function inMode(backend: AuditBackend, { truncation, ...batch }: Batch, parts: AuditParts): AuditBackend {
  const written = inTime(backend, batch, parts);
  const { onTrouble } = parts;
  return truncation === undefined ? written : truncating(written, { ...truncation, onTrouble });
}

function inTime(
  backend: AuditBackend,
  { mode, ...batch }: Omit<Batch, 'truncation'>,
  parts: AuditParts,
): AuditBackend {
  const { timers, onTrouble } = parts;
  if (mode === 'blocking-strict') return backend;
  if (mode === 'blocking') return forgiving(backend, onTrouble);
  return new BatchedBackend(backend, { ...batch, timers, onTrouble });
}

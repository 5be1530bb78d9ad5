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
import { ServiceClient } from '../../webhook/index.ts';
import { serviceOfFlag } from './authentication-flags.ts';
import { durationFlag } from './duration.ts';
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
    .option('--audit-policy-file <file>', 'an audit Policy: what is written of which requests')
    .option('--audit-log-path <file>', 'where a line is written for each event; - for the standard output')
    .option('--audit-log-maxsize <megabytes>', 'a file is put aside when it is full (default: 100)', count, 0)
    .option('--audit-log-maxbackup <number>', 'so many of them are kept; 0 keeps all', count, 0)
    .option('--audit-log-maxage <days>', 'so long they are kept; 0 keeps them for ever', count, 0)
    .option('--audit-webhook-config-file <file>', 'the kubeconfig of a server that events are posted to');
  const log = addBatchFlags(described, 'log', { mode: 'blocking', maxSize: 1, maxWaitMs: 0 });
  return addBatchFlags(log, 'webhook', { mode: 'batch', maxSize: 400, maxWaitMs: 30_000 });
}

interface BatchDefaults {
  readonly mode: Mode;
  readonly maxSize: number;
  readonly maxWaitMs: number;
}

function addBatchFlags(
  command: Command,
  backend: string,
  { mode, maxSize, maxWaitMs }: BatchDefaults,
): Command {
  const flag = `--audit-${backend}`;
  return command
    .addOption(
      new Option(
        `${flag}-mode <mode>`,
        'blocking: a request waits for its events; blocking-strict: and fails with them',
      )
        .choices(modes)
        .default(mode),
    )
    .option(`${flag}-batch-buffer-size <number>`, 'events that wait, in the mode batch', count, 10_000)
    .option(`${flag}-batch-max-size <number>`, 'events that are written together', count, maxSize)
    .option(
      `${flag}-batch-max-wait <duration>`,
      'how long an event waits for others',
      durationFlag,
      maxWaitMs,
    )
    .option(`${flag}-truncate-enabled`, 'take the objects out of events that are too large')
    .option(`${flag}-truncate-max-event-size <bytes>`, 'what is too large', count, 102_400)
    .option(`${flag}-truncate-max-batch-size <bytes>`, 'events that are written together', count, 10_485_760);
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
}

/** @throws {Error} that names the flag, for an invalid policy or file */
export async function auditorOf(flags: AuditFlags, parts: AuditParts): Promise<Auditor | undefined> {
  const { auditPolicyFile: file } = flags;
  if (file === undefined) return undefined;
  const policy = parsePolicy(file, await readFlagFile('--audit-policy-file', file));
  const backends = [logBackend(flags, parts), await webhookBackend(flags, parts)];
  const { clock, onTrouble } = parts;
  return new Auditor({ policy, backends: backends.filter((one) => one !== undefined), clock, onTrouble });
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

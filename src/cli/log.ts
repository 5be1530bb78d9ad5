import pino, { type Logger } from 'pino';

export type { Logger };

/** The names of pino's levels in readable lines. */
const levelLetters: Readonly<Record<number, string>> = { 20: 'D', 30: 'I', 40: 'W', 50: 'E', 60: 'F' };

interface LogOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number;
  /** The thread that writes, if there are several. */
  readonly worker?: number;
}

/** Logs to stderr, as JSON or readable lines. Verbosity 0 to 1 logs events, 2 and more logs details. */
export function makeLog(options: LogOptions): Logger {
  const level = options.verbosity >= 2 ? 'debug' : 'info';
  const stderr = pino.destination({ dest: 2, sync: true });
  const { worker } = options;
  const log =
    options.format === 'json'
      ? pino({ level }, stderr)
      : pino({ level }, { write: (line: string) => stderr.write(textLine(line)) });
  return worker === undefined ? log : log.child({ worker });
}

/** What a readable line shows. */
interface TextLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly worker?: number;
}

function textLine(json: string): string {
  const { level, time, msg, err, worker }: TextLine = JSON.parse(json);
  const from = worker === undefined ? '' : `worker ${worker}: `;
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`;
  return `${levelLetters[level] ?? 'I'} ${new Date(time).toISOString()} ${from}${msg ?? ''}${stack}\n`;
}

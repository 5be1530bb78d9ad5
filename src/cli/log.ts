import pino, { type Logger } from 'pino';

export type { Logger };

/** The names of pino's levels in readable lines. */
const levelLetters: Readonly<Record<number, string>> = { 20: 'D', 30: 'I', 40: 'W', 50: 'E', 60: 'F' };

/** Logs to stderr, as JSON or readable lines. Verbosity 0 to 1 logs events, 2 and more logs details. */
export function makeLog(options: { readonly format: 'text' | 'json'; readonly verbosity: number }): Logger {
  const level = options.verbosity >= 2 ? 'debug' : 'info';
  const stderr = pino.destination({ dest: 2, sync: true });
  if (options.format === 'json') return pino({ level }, stderr);
  return pino({ level }, { write: (line: string) => stderr.write(textLine(line)) });
}

function textLine(json: string): string {
  const { level, time, msg, err }: { level: number; time: number; msg?: string; err?: { stack?: string } } =
    JSON.parse(json);
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`;
  return `${levelLetters[level] ?? 'I'} ${new Date(time).toISOString()} ${msg ?? ''}${stack}\n`;
}

/** The range of a field of a schedule, and the names of its values. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const fieldBounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];

const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

/**
 * The first mistake of a schedule of a CronJob, in the words of the parser that kube-apiserver uses; undefined if it
 * is valid. Source: github.com/robfig/cron v3, ParseStandard.
 *
 * @example scheduleMistake('61 * * * *') // 'end of range (61) above maximum (59): 61'
 */
export function scheduleMistake(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  if (schedule.startsWith('@')) return descriptorMistake(schedule);
  const fields = schedule.trim().split(/\s+/);
  const count = fields[0] === '' ? 0 : fields.length;
  if (count !== fieldBounds.length) {
    return `expected exactly ${fieldBounds.length} fields, found ${count}: [${fields.join(' ')}]`;
  }
  return firstOf(fields, (field, index) => {
    const bounds = fieldBounds[index];
    return bounds === undefined ? undefined : fieldMistake(field, bounds);
  });
}

function firstOf(texts: readonly string[], mistakeOf: (text: string, index: number) => string | undefined) {
  for (const [index, text] of texts.entries()) {
    const mistake = mistakeOf(text, index);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function descriptorMistake(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  if (/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|\u00b5s|\u03bcs|ns))+)$/.test(duration))
    return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

/** A field is a list of ranges: `1-5,10,20/5`. */
function fieldMistake(field: string, bounds: Bounds): string | undefined {
  const ranges = field.split(',').filter((range) => range !== '');
  return firstOf(ranges, (range) => rangeMistake(range, bounds));
}

/** A range is `*`, `?`, `N` or `N-M`, each with `/STEP` or without. */
function rangeMistake(range: string, bounds: Bounds): string | undefined {
  const [base = '', step, ...slashes] = range.split('/');
  const [low = '', high, ...hyphens] = base.split('-');
  const isAny = low === '*' || low === '?';
  const start = isAny ? bounds.min : numberOf(low, bounds);
  if (typeof start === 'string') return start;
  if (!isAny && hyphens.length > 0) return `too many hyphens: ${range}`;
  const end = isAny ? bounds.max : high === undefined ? start : numberOf(high, bounds);
  if (typeof end === 'string') return end;
  if (slashes.length > 0) return `too many slashes: ${range}`;
  const by = step === undefined ? 1 : numberOf(step, {});
  if (typeof by === 'string') return by;
  const last = step !== undefined && high === undefined ? bounds.max : end;
  return limitMistake(range, { start, end: last, step: by }, bounds);
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

function limitMistake(text: string, { start, end, step }: Range, { min, max }: Bounds): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

/** The number or the name as a number; otherwise the mistake. */
function numberOf(text: string, { min = 0, names = [] }: Partial<Bounds>): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  const failed = `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/.test(text)) return `${failed}: invalid syntax`;
  const number = BigInt(text.replace(/^\+/, ''));
  if (number > 2n ** 63n - 1n || number < -(2n ** 63n)) return `${failed}: value out of range`;
  return number < 0n ? `negative number (${number}) not allowed: ${text}` : Number(number);
}

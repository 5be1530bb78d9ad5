import { CelError, isError } from '../../values/cel-error.ts';
import type { CelList } from '../../values/list.ts';
import type { Result, Value } from '../../values/value.ts';
import { type Clause, formatters } from './formatters.ts';

/** A piece of a format string: literal text, or a clause for the next argument. */
type Piece = { readonly text: string } | ClausePiece;

interface ClausePiece {
  readonly clause: Clause;
  readonly precision: number | undefined;
}

const defaultPrecision = 6;
/** The maximum precision, so that a short expression cannot create a huge string. */
const maxPrecision = 1000;

/**
 * Splits a format string. An invalid clause ends it with an error; `argument` is called before each clause is read,
 * because cel-go fetches the argument first.
 */
export function* piecesOf(
  format: string,
  argument: (index: number) => CelError | undefined,
): Generator<Piece | CelError> {
  let index = 0;
  let offset = 0;
  while (offset < format.length) {
    const percent = format.indexOf('%', offset);
    if (percent < 0) return yield { text: format.slice(offset) };
    if (percent > offset) yield { text: format.slice(offset, percent) };
    if (format[percent + 1] === '%') {
      yield { text: '%' };
      offset = percent + 2;
      continue;
    }
    const absent = argument(index++);
    if (absent !== undefined) return yield absent;
    if (percent + 1 >= format.length) return yield new CelError('unexpected end of string');
    const clause = clauseAt(format, percent + 1);
    if (isError(clause)) return yield clause;
    yield clause;
    offset = clause.end;
  }
}

function clauseAt(format: string, start: number): (ClausePiece & { readonly end: number }) | CelError {
  const failed = (message: string): CelError => new CelError(`could not parse formatting clause: ${message}`);
  let end = start;
  let precision: number | undefined;
  if (format[start] === '.') {
    const digits = /^\d*/.exec(format.slice(start + 1))?.[0] ?? '';
    end = start + 1 + digits.length;
    if (end >= format.length)
      return failed('error while parsing precision: could not find end of precision specifier');
    if (digits === '') {
      const reason = 'strconv.Atoi: parsing "": invalid syntax';
      return failed(`error while parsing precision: error while converting precision to integer: ${reason}`);
    }
    precision = Number(digits);
    if (precision > maxPrecision)
      return failed(`error while parsing precision: precision ${precision} is too large`);
  }
  const letter = String.fromCodePoint(format.codePointAt(end) ?? 0);
  const clause = Object.hasOwn(formatters, letter) ? (letter as Clause) : undefined; // the keys of formatters are the clauses
  if (clause === undefined) return failed(`unrecognized formatting clause "${letter}"`);
  return { clause, precision, end: end + 1 };
}

/** `'%s is %d'.format([name, count])`. */
export function formatText(format: string, args: CelList): Result {
  let text = '';
  let next = 0;
  const absent = (index: number): CelError | undefined =>
    index < args.size ? undefined : new CelError(`index ${index} out of range`);
  for (const piece of piecesOf(format, absent)) {
    if (isError(piece)) return piece;
    if ('text' in piece) {
      text += piece.text;
      continue;
    }
    const value = args.at(next++);
    const formatted = isError(value) ? value : formatArgument(piece, value);
    if (typeof formatted !== 'string') return formatted;
    text += formatted;
  }
  return text;
}

function formatArgument(piece: ClausePiece, value: Value): string | CelError {
  const formatted = formatters[piece.clause](value, piece.precision ?? defaultPrecision);
  return isError(formatted) ? new CelError(`error during formatting: ${formatted.message}`) : formatted;
}

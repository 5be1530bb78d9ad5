/** A place that an operation of a JSON patch needs, and that the document does not have. */
export class MissingPlace extends Error {
  /** What is missing: what contains the place, the member of an object, or the index of a list. */
  readonly what: 'container' | 'member' | 'index';
  readonly path: readonly string[];

  constructor(what: MissingPlace['what'], path: readonly string[]) {
    super(`${what} missing`);
    this.what = what;
    this.path = path;
  }
}

interface MissedOperation {
  readonly op: string;
  readonly from?: readonly string[];
}

/** The message of upstream's library for an operation without its place. Source: evanphx/json-patch v4. */
export function missingText({ op, from }: MissedOperation, { what, path }: MissingPlace): string {
  const pointer = pointerOf(path);
  const isSource = from === path;
  if (what === 'container') {
    const quoted = op === 'add' || op === 'remove' ? `"${pointer}"` : pointer;
    return `${op} operation does not apply: ${containerText(op, isSource)} ${quoted}: missing value`;
  }
  if (op === 'replace')
    return `replace operation does not apply: doc is missing key: ${pointer}: missing value`;
  const step = path.at(-1) ?? '';
  const cause =
    what === 'member' ? `Unable to remove nonexistent key: ${step}: missing value` : indexText(step);
  if (op === 'copy')
    return isSource
      ? `error in copy for from: '${pointer}': ${cause}`
      : `error while adding value during copy: ${cause}`;
  return `error in ${op} for path: '${op === 'move' && isSource ? step : pointer}': ${cause}`;
}

function containerText(op: string, isSource: boolean): string {
  if (op === 'test') return 'is missing path:';
  if (op === 'move' || op === 'copy') return `doc is missing ${isSource ? 'from' : 'destination'} path:`;
  return 'doc is missing path:';
}

function indexText(step: string): string {
  if (/^[-+]?\d+$/.test(step))
    return `Unable to access invalid index: ${Number(step)}: invalid index referenced`;
  return `strconv.Atoi: parsing ${JSON.stringify(step)}: invalid syntax`;
}

function pointerOf(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

import { StoreError, type StoreErrorCode } from '../store.ts';

/** A refusal by PostgreSQL itself, with its code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
interface ServerRefusal {
  /** SQLSTATE: `53100`. */
  readonly code: string;
}

const sqlState = /^[0-9A-Z]{5}$/;

export function isServerRefusal(error: unknown): error is Error & ServerRefusal {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return false;
  return typeof error.code === 'string' && sqlState.test(error.code);
}

/** What will fail again, and what that means for the user of a store. */
const finalStates: ReadonlyMap<string, StoreErrorCode> = new Map([
  ['53100', 'no-space'], // disk_full
  ['28P01', 'refused'], // invalid_password
  ['28000', 'refused'], // invalid_authorization_specification
  ['3D000', 'refused'], // invalid_catalog_name: there is no such database
  ['3F000', 'refused'], // invalid_schema_name
  ['42501', 'refused'], // insufficient_privilege
  ['42P01', 'refused'], // undefined_table
  ['42883', 'refused'], // undefined_function
  ['XX001', 'damaged'], // data_corrupted
  ['XX002', 'damaged'], // index_corrupted
  ['57014', 'unavailable'], // query_canceled: a statement timeout of the database
  ['58030', 'damaged'], // io_error
]);

/** What a failure means. */
type Verdict =
  /** It will fail again; nothing was written. */
  | { readonly kind: 'final'; readonly code: StoreErrorCode }
  /** Another try may do it, here or at another host; nothing was written. */
  | { readonly kind: 'passing' }
  /** The connection broke: the statement may have been executed. */
  | { readonly kind: 'broken' };

/** After these, the connection is unusable, and it is unknown whether the transaction committed. */
const endedStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P05']);

export function judge(error: unknown): Verdict {
  if (!isServerRefusal(error) || endedStates.has(error.code)) return { kind: 'broken' };
  const code = finalStates.get(error.code);
  return code === undefined ? { kind: 'passing' } : { kind: 'final', code };
}

/** Whether another host, or this one after a failover, may take what this one refuses: it is read-only, or starting. */
export function isWrongHost(error: unknown): boolean {
  return isServerRefusal(error) && ['25006', '57P03', '53300'].includes(error.code);
}

/** The failure as the user of a store gets it. */
export function storeErrorOf(error: unknown, code: StoreErrorCode): StoreError {
  const text = error instanceof Error ? error.message || String(error) : String(error);
  return new StoreError(code, `PostgreSQL: ${text}`, { cause: error });
}

/** A write that was sent and not answered: it may have happened, or may still happen. */
export function unknownOutcome(error: unknown): StoreError {
  const text = error instanceof Error ? error.message : String(error);
  return new StoreError('outcome-unknown', `whether the write happened is unknown: ${text}`, {
    cause: error,
  });
}

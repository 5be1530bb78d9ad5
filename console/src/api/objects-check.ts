import { ApiError } from './api-error.ts';
import { collectionPath, type ResourceRef } from './paths.ts';
import { getJson, send } from './request.ts';

/** An object that a definition refuses, and why. */
export interface RefusedObject {
  readonly namespace: string;
  readonly name: string;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

/** How far a check has come. */
export interface ObjectsCheck {
  readonly checked: number;
  /** Undefined where the server does not count them. */
  readonly total: number | undefined;
  readonly refused: readonly RefusedObject[];
  /** Objects that are too large to be sent beside the definition. */
  readonly skipped: number;
  readonly isDone: boolean;
}

interface ObjectsResult {
  readonly checked: number;
  readonly refused: readonly RefusedObject[];
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

interface Page {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
}

const pageObjects = 200;
/** So many errors are enough to know. */
const refusedMax = 1_000;
const againMs = 1_000;

/** Tries the live objects that the user may list on another definition, page by page. Nothing is written. */
export async function checkLiveObjects(
  ref: ResourceRef,
  definition: string,
  {
    onProgress,
    signal,
  }: { readonly onProgress: (check: ObjectsCheck) => void; readonly signal: AbortSignal },
): Promise<void> {
  let check: ObjectsCheck = { checked: 0, total: undefined, refused: [], skipped: 0, isDone: false };
  let limit = pageObjects;
  let token = '';
  do {
    const query = new URLSearchParams({ limit: String(limit), continue: token });
    // The text goes on as it is: numbers of any size stay what they are.
    const objects = await (await send(`${collectionPath(ref)}?${query}`, { signal })).text();
    const { metadata } = JSON.parse(objects) as Page;
    const result = await tried({ definition, objects }, signal);
    if (result === 'too large' && limit > 1) {
      limit = Math.ceil(limit / 4);
      continue;
    }
    check = withPage(check, result === 'too large' ? undefined : result, metadata);
    token = metadata.continue ?? '';
    check = { ...check, isDone: token === '' || check.refused.length >= refusedMax };
    onProgress(check);
  } while (!check.isDone);
}

function withPage(
  { checked, refused, skipped }: ObjectsCheck,
  result: ObjectsResult | undefined,
  { remainingItemCount: remaining }: Page['metadata'],
): ObjectsCheck {
  const now = checked + (result?.checked ?? 0);
  const left = skipped + (result === undefined ? 1 : 0);
  return {
    checked: now,
    total: remaining === undefined ? undefined : now + left + remaining,
    refused: [...refused, ...(result?.refused ?? [])],
    skipped: left,
    isDone: false,
  };
}

/** @throws {Error} for a definition that the server refuses itself */
async function tried(body: object, signal: AbortSignal): Promise<ObjectsResult | 'too large'> {
  for (;;) {
    try {
      const asked = { method: 'POST', body: JSON.stringify(body), signal };
      const result = await getJson<ObjectsResult>('/ilk/v1/playground/objects', asked);
      if (result.problems.length > 0)
        throw new Error(result.problems.map(({ message }) => message).join('; '));
      return result;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 413 && error.code !== 429)) throw error;
      if (error.code === 413) return 'too large';
      // A few cases run at a time on a server.
      await new Promise((resolve) => setTimeout(resolve, againMs));
      signal.throwIfAborted();
    }
  }
}

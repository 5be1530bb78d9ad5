import { ApiError } from '../api/api-error.ts';
import { send } from '../api/request.ts';
import { appliedText } from './yaml-text.ts';
import type { Finding } from './yaml-editor.ts';

/** How a text is sent: as an update, or as an apply by this manager. */
export type SendMode = 'update' | 'apply' | 'force';

export const manager = 'ilk-console';

interface Sending {
  readonly path: string;
  readonly text: string;
  readonly mode: SendMode | 'create';
  readonly dryRun: boolean;
}

/** Sends a text. @returns the server's warnings @throws {ApiError} */
export async function sendText({ path, text, mode, dryRun }: Sending): Promise<readonly string[]> {
  const query = new URLSearchParams({
    fieldManager: manager,
    fieldValidation: 'Strict',
    ...(dryRun && { dryRun: 'All' }),
  });
  if (mode === 'force') query.set('force', 'true');
  const isApply = mode === 'apply' || mode === 'force';
  const response = await send(`${path}?${query}`, {
    method: isApply ? 'PATCH' : mode === 'create' ? 'POST' : 'PUT',
    contentType: isApply ? 'application/apply-patch+yaml' : 'application/yaml',
    body: isApply ? appliedText(text) : text,
  });
  return [...(response.headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
    ([, words = '']) => words.replaceAll('\\"', '"'),
  );
}

/** The server's response to a dry run; undefined if it is unreachable. */
export async function findingOf(sending: Omit<Sending, 'dryRun'>): Promise<Finding | undefined> {
  try {
    await sendText({ ...sending, dryRun: true });
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? { message: error.message, causes: error.causes } : undefined;
  }
}

import { ConnectionError, isAborted } from './api-error.ts';

/** The lines of a response as they arrive. @throws {ConnectionError} if it is truncated */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      yield* parts.filter((part) => part !== '');
    }
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new ConnectionError('the connection broke', { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The iterator of a generator that waits: `return` would wait, too, so the source is closed first. */
export function closingIterator<T>(
  source: AsyncGenerator<T, undefined>,
  close: () => void,
): AsyncIterator<T> {
  return {
    next: () => source.next(),
    return: () => {
      close();
      return source.return(undefined);
    },
  };
}

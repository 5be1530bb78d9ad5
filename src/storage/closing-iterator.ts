/** The iterator of a generator that waits: it cannot be told to return, so what it waits for is closed first. */
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

import type { StoreWatch, WatchMessage } from './store.ts';

/** The same watch, whose messages pass through a function, which may take its time. */
export function mapWatch(
  watch: StoreWatch,
  map: (message: WatchMessage) => WatchMessage | Promise<WatchMessage>,
): StoreWatch {
  type Result = IteratorResult<WatchMessage>;
  const mapResult = (result: Result): Result | Promise<Result> => {
    if (result.done === true) return result;
    const value = map(result.value);
    if (value instanceof Promise) return value.then((mapped) => ({ done: false, value: mapped }));
    return { done: false, value };
  };
  return {
    requestProgress: () => watch.requestProgress(),
    close: () => watch.close(),
    [Symbol.asyncIterator]: () => {
      const messages = watch[Symbol.asyncIterator]();
      return {
        next: () => messages.next().then(mapResult),
        return: async () => messages.return?.() ?? { done: true, value: undefined },
      };
    },
  };
}

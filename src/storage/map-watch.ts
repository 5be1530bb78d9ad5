import type { StoreWatch, WatchMessage } from './store.ts';

/** The same watch, whose messages pass through a function. */
export function mapWatch(watch: StoreWatch, map: (message: WatchMessage) => WatchMessage): StoreWatch {
  const mapResult = (result: IteratorResult<WatchMessage>): IteratorResult<WatchMessage> =>
    result.done === true ? result : { done: false, value: map(result.value) };
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

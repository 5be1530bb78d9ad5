import { StoreError, type StoreWatch } from './store.ts';

export const closedError = (): StoreError => new StoreError('closed', 'the store was closed');

/** What a store that was closed gives to who wants to watch. */
export const closedWatch: StoreWatch = {
  requestProgress: () => undefined,
  close: () => undefined,
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(closedError()) }),
};

import { StoreError, type StoreWatch } from './store.ts';

export const closedError = (): StoreError => new StoreError('closed', 'the store was closed');

/** The watch that a closed store returns. */
export const closedWatch: StoreWatch = {
  requestProgress: () => undefined,
  close: () => undefined,
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(closedError()) }),
};

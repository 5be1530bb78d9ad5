/**
 * Maps items one after another. Values are not awaited: the result is a promise only if one of the items
 * makes one.
 */
export function mapAwaiting<T, R>(items: readonly T[], map: (item: T) => R | Promise<R>): R[] | Promise<R[]> {
  const done: R[] = [];
  for (const [index, item] of items.entries()) {
    const mapped = map(item);
    if (mapped instanceof Promise) return mapRest({ done, first: mapped, rest: items.slice(index + 1), map });
    done.push(mapped);
  }
  return done;
}

interface Rest<T, R> {
  readonly done: R[];
  readonly first: Promise<R>;
  readonly rest: readonly T[];
  readonly map: (item: T) => R | Promise<R>;
}

async function mapRest<T, R>({ done, first, rest, map }: Rest<T, R>): Promise<R[]> {
  done.push(await first);
  for (const item of rest) {
    const mapped = map(item);
    done.push(mapped instanceof Promise ? await mapped : mapped);
  }
  return done;
}

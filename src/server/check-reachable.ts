/** Upstream's timeout of an etcd health check. */
const reachableMsMax = 2_000;

/** Waits for a storage to answer. Rejects on a timeout. */
export async function answersInTime(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the storage does not answer')), reachableMsMax);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

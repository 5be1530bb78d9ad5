/** Upstream's patience with an etcd that is asked whether it is there. */
const reachableMsMax = 2_000;

/** Waits for the answer of a storage. Rejects where it does not come in time. */
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

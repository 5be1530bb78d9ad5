import { describe, expect, test, vi } from 'vitest';
import { databases, type SharedDatabase } from '../storage/databases.test-support.ts';
import { Widgets, widget } from './widgets.test-support.ts';

/** Several servers that share a database also share quotas: each writes the status of a quota only as it has read it. */

const quota = '/api/v1/namespaces/default/resourcequotas';
const amount = 'count/widgets.example.com';
const limit = 12;

async function usedOf(widgets: Widgets): Promise<string | undefined> {
  const { body } = await widgets.call('GET', `${quota}/q`);
  return body.status?.used?.[amount];
}

async function startTwo({ storage }: SharedDatabase): Promise<readonly [Widgets, Widgets]> {
  const first = await Widgets.start({ storage });
  const second = await Widgets.start({ storage });
  await first.call('POST', quota, { metadata: { name: 'q' }, spec: { hard: { [amount]: String(limit) } } });
  await vi.waitFor(async () => expect(await usedOf(second)).toBe('0'), { timeout: 30_000 });
  return [first, second];
}

describe.skipIf(databases.length === 0).each(databases)('$name', ({ start }) => {
  test('creates through two servers at once never exceed a quota, and all of it can be used', async () => {
    await using database = await start();
    const [first, second] = await startTwo(database);
    await using _first = first;
    await using _second = second;
    const create = async (server: Widgets, name: string) => {
      const { code, body } = await server.call('POST', server.path(), widget(name));
      return code === 201 ? 'created' : `${code} ${body.message}`;
    };
    const stored = async (server: Widgets) => (await server.call('GET', server.path())).body.items.length;

    const names = Array.from({ length: 2 * limit }, (_, index) => `w${index}`);
    const answers = await Promise.all(
      names.map((name, index) => create(index % 2 === 0 ? first : second, name)),
    );
    const created = answers.filter((answer) => answer === 'created').length;
    expect(await stored(first)).toBe(created);
    expect(created).toBeGreaterThan(0);
    expect(created).toBeLessThanOrEqual(limit);
    // The others were over the limit, or lost against the other server too often.
    for (const answer of answers) expect(answer).toMatch(/^created$|^403 .*exceeded quota: q|^409 /);

    for (let index = 0; index < 2 * limit; index += 1)
      await create(index % 2 === 0 ? first : second, `x${index}`);
    expect(await stored(second)).toBe(limit);
    expect(await create(second, 'more')).toContain(`used: ${amount}=${limit}, limited: ${amount}=${limit}`);
    expect(await usedOf(first)).toBe(String(limit));
  }, 120_000);
});

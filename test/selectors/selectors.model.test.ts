import { expect, test } from 'vitest';
import { type Random, randomFrom } from '../../src/cache/random.test-support.ts';
import type { JsonObject } from '../../src/meta/index.ts';
import {
  type Query,
  selectableWidgetCrd,
  selectableProperties,
  WidgetServer,
  selectableVersion,
} from '../fixtures/selectable-widgets.ts';
import { widget } from '../fixtures/widgets.ts';
import type { WatchStream } from '../fixtures/watch-stream.ts';

const colors = ['blue', 'green', 'red'] as const;
const sizes = ['S', 'M', 'L'] as const;
const tags = ['new', 'old', 'hot'] as const;
const shelves = ['front', 'back'] as const;

/** A widget as it is stored; what is undefined is absent. */
interface Widget {
  readonly color: string | undefined;
  readonly size: string | undefined;
  readonly count: number | undefined;
  readonly tags: readonly string[];
  readonly shelf: string | undefined;
}
type State = ReadonlyMap<string, Widget>;

const everyField = ['.spec.color', '.spec.size', '.spec.count', '.spec.tags[*]'];
/** A CRD as it may be: which fields can be selected by, and which size a widget has that says none. */
interface Rules {
  readonly fields: readonly string[];
  readonly size: string | undefined;
}
const someRules: readonly [Rules, ...Rules[]] = [
  { fields: everyField, size: undefined },
  { fields: everyField, size: 'M' },
  { fields: everyField, size: 'L' },
  { fields: everyField.slice(0, 3), size: undefined },
];

const crdOf = ({ fields, size }: Rules) =>
  selectableWidgetCrd(
    selectableVersion(
      'v1',
      fields,
      {},
      {
        ...selectableProperties,
        color: { type: 'string' },
        size: { type: 'string', ...(size === undefined ? {} : { default: size }) },
      },
    ),
  );

/** What a client can ask, and the same as a plain function. */
interface Question {
  readonly query: Query;
  readonly needs: readonly string[];
  readonly holds: (name: string, widget: Widget) => boolean;
}

const field = (text: string, holds: Question['holds'], ...needs: string[]): Question => ({
  query: { fieldSelector: text },
  needs,
  holds,
});
const label = (text: string, holds: Question['holds']): Question => ({
  query: { labelSelector: text },
  needs: [],
  holds,
});
const filter = (text: string, holds: Question['holds'], ...needs: string[]): Question => ({
  query: { filter: text },
  needs,
  holds,
});

function randomQuestion(random: Random): Question {
  const [color, other, size, tag, shelf] = [
    random.of(colors),
    random.of(colors),
    random.of(sizes),
    random.of(tags),
    random.of(shelves),
  ];
  const count = random.below(5);
  return random.of([
    field(`spec.color=${color}`, (_, s) => s.color === color),
    field(`spec.color!=${color}`, (_, s) => s.color !== color),
    field(`spec.color=`, (_, s) => s.color === undefined),
    field(`spec.color in (${color},${other})`, (_, s) => s.color === color || s.color === other),
    field(`spec.color notin (${color},)`, (_, s) => s.color !== undefined && s.color !== color),
    field(`!spec.count`, (_, s) => s.count === undefined),
    field(`spec.count exists,spec.size=${size}`, (_, s) => s.count !== undefined && s.size === size),
    field(`spec.size=${size},spec.color=${color}`, (_, s) => s.size === size && s.color === color),
    field(`spec.count=${count}`, (_, s) => s.count === count),
    field(`metadata.name=n7`, (name) => name === 'n7'),
    field(`spec.tags[*]=${tag}`, (_, s) => s.tags.includes(tag), '.spec.tags[*]'),
    field(`spec.tags[*]!=${tag}`, (_, s) => !s.tags.includes(tag), '.spec.tags[*]'),
    label(`shelf=${shelf}`, (_, s) => s.shelf === shelf),
    label(`shelf!=${shelf}`, (_, s) => s.shelf !== shelf),
    label('shelf', (_, s) => s.shelf !== undefined),
    label(`!shelf`, (_, s) => s.shelf === undefined),
    filter(
      `spec.color == '${color}' && spec.count > ${count}`,
      (_, s) => s.color === color && s.count !== undefined && s.count > count,
    ),
    filter(
      `spec.color == '${color}' || spec.size != '${size}'`,
      (_, s) => s.color === color || (s.size !== undefined && s.size !== size),
    ),
    filter(
      `'${tag}' in spec.tags && has(spec.color)`,
      (_, s) => s.tags.includes(tag) && s.color !== undefined,
      '.spec.tags[*]',
    ),
    filter(`!(spec.color in ['${color}'])`, (_, s) => s.color !== undefined && s.color !== color),
  ]);
}

/** Several at once must all hold; those of one kind of parameter cannot be combined here. */
function randomQuestions(random: Random): Question {
  const asked = Array.from({ length: 1 + random.below(2) }, () => randomQuestion(random));
  const kinds = new Map(asked.map((one) => [Object.keys(one.query)[0], one]));
  const of = [...kinds.values()];
  return {
    query: Object.assign({}, ...of.map(({ query }) => query)),
    needs: of.flatMap(({ needs }) => needs),
    holds: (name, one) => of.every(({ holds }) => holds(name, one)),
  };
}

const randomWidget = (random: Random): Widget => ({
  color: random.below(5) === 0 ? undefined : random.of(colors),
  size: random.below(2) === 0 ? undefined : random.of(sizes),
  count: random.below(3) === 0 ? undefined : random.below(6),
  tags: tags.filter(() => random.below(3) === 0),
  shelf: random.below(2) === 0 ? undefined : random.of(shelves),
});

/** A client that keeps what a watch tells. */
class Follower {
  readonly question: Question;
  readonly #stream: WatchStream;
  readonly #names = new Set<string>();
  error: unknown;

  constructor(question: Question, stream: WatchStream, names: Iterable<string>) {
    this.question = question;
    this.#stream = stream;
    for (const name of names) this.#names.add(name);
    void this.#follow().catch((error: unknown) => {
      this.error = error;
    });
  }

  get names(): readonly string[] {
    return [...this.#names].sort();
  }

  async #follow(): Promise<void> {
    for (let event = await this.#stream.next(); event !== undefined; event = await this.#stream.next()) {
      const name = String(Object(event.object.metadata).name);
      if (this.#names.has(name) !== (event.type !== 'ADDED')) throw new Error(`${event.type} ${name}`);
      if (event.type === 'DELETED') this.#names.delete(name);
      else this.#names.add(name);
    }
  }
}

/** A server and, beside it, what it should hold at every revision. */
class Story {
  readonly #random: Random;
  readonly #shop: WidgetServer;
  readonly #past = new Map<number, State>();
  #state: State = new Map();
  #rules: Rules = someRules[0];
  #revision = 0;
  #followers: Follower[] = [];
  readonly tally = { index: 0, scan: 0, found: 0, pages: 0 };

  constructor(shop: WidgetServer, random: Random) {
    this.#shop = shop;
    this.#random = random;
  }

  async write(): Promise<void> {
    const name = `n${this.#random.below(220)}`;
    const known = this.#state.has(name);
    const next = new Map(this.#state);
    if (known && this.#random.below(4) === 0) {
      const { code } = await this.#shop.call('DELETE', `${WidgetServer.path()}/${name}`);
      expect(code).toBe(200);
      next.delete(name);
      this.#note(next, undefined);
      return;
    }
    const one = randomWidget(this.#random);
    next.set(name, { ...one, size: one.size ?? this.#rules.size });
    this.#note(next, known ? await this.#shop.patch(name, patchOf(one)) : await this.#create(name, one));
  }

  #create(name: string, { shelf, ...spec }: Widget): Promise<number> {
    const labels = shelf === undefined ? {} : { labels: { shelf } };
    return this.#shop.create(widget(name, JSON.parse(JSON.stringify(spec)), labels));
  }

  #note(state: State, revision: number | undefined): void {
    // A merge patch that changes nothing writes nothing.
    if (revision !== undefined && revision === this.#revision) return;
    this.#revision = revision ?? this.#revision + 1;
    this.#state = state;
    this.#past.set(this.#revision, state);
  }

  async changeRules(): Promise<void> {
    const others = someRules.filter((rules) => rules !== this.#rules);
    this.#rules = others[this.#random.below(others.length)] ?? this.#rules;
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    const { code, body } = await this.#shop.call(
      'PATCH',
      path,
      { spec: crdOf(this.#rules)['spec'] ?? null },
      'application/merge-patch+json',
    );
    expect(code).toBe(200);
    this.#revision = Math.max(this.#revision, Number(Object(body['metadata']).resourceVersion));
    this.#past.clear();
    this.#past.set(this.#revision, this.#state);
    this.#followers = [];
  }

  /** Asks something, of the present or the past, whole or in pages. */
  async ask(): Promise<void> {
    const question = this.#question();
    const revisions = [...this.#past.keys()];
    const past = this.#random.below(3) === 0 ? revisions[this.#random.below(revisions.length)] : undefined;
    const state = (past === undefined ? undefined : this.#past.get(past)) ?? this.#state;
    const exact: Query = past === undefined ? {} : { resourceVersion: past, resourceVersionMatch: 'Exact' };
    const limit = this.#random.of([0, 0, 9, 40]);
    const names: string[] = [];
    let more: Query = exact;
    do {
      const page = await this.#shop.list({ ...question.query, ...more, ...(limit > 0 ? { limit } : {}) });
      expect([page.code, JSON.stringify(question.query)]).toEqual([200, JSON.stringify(question.query)]);
      names.push(...page.names);
      this.tally[page.plan?.startsWith('index') === true ? 'index' : 'scan'] += 1;
      this.tally.pages += 1;
      if (limit > 0) expect(page.names.length).toBeLessThanOrEqual(limit);
      more = page.continue === '' ? {} : { continue: page.continue };
      // Between two pages the world goes on.
      if (this.#random.below(4) === 0) await this.write();
    } while (Object.keys(more).length > 0);
    expect([question.query, names]).toEqual([question.query, this.#wanted(question, state)]);
    this.tally.found += names.length;
  }

  async follow(): Promise<void> {
    const question = this.#question();
    const { names, revision } = await this.#shop.list(question.query);
    const stream = await this.#shop.watch({ ...question.query, resourceVersion: revision });
    this.#followers.push(new Follower(question, stream, names));
  }

  /** Waits until every follower knows what it should. */
  async checkFollowers(): Promise<void> {
    for (const follower of this.#followers) {
      const { question } = follower;
      const wanted = () => this.#wanted(question, this.#state);
      for (let turn = 0; turn < 200 && follower.names.join() !== [...wanted()].sort().join(); turn += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(follower.error).toBeUndefined();
      expect([question.query, follower.names]).toEqual([question.query, [...wanted()].sort()]);
    }
  }

  #question(): Question {
    for (;;) {
      const question = randomQuestions(this.#random);
      if (question.needs.every((path) => this.#rules.fields.includes(path))) return question;
    }
  }

  #wanted({ holds }: Question, state: State): string[] {
    const { size } = this.#rules;
    return [...state.keys()].sort().filter((name) => {
      const stored = state.get(name);
      return stored !== undefined && holds(name, { ...stored, size: stored.size ?? size });
    });
  }
}

function patchOf({ shelf, ...spec }: Widget): JsonObject {
  const explicit = Object.entries(spec).map(([key, value]) => [key, value ?? null]);
  return { metadata: { labels: { shelf: shelf ?? null } }, spec: Object.fromEntries(explicit) };
}

test.each([1, 2])(
  'random objects, selectors, pages, revisions, watches and schemas: as a plain filter has it, seed %i',
  async (seed) => {
    const random = randomFrom(seed);
    const shop = await WidgetServer.open({ crds: [crdOf(someRules[0])] });
    const story = new Story(shop, random);
    for (let at = 0; at < 250; at += 1) await story.write();
    for (let at = 1; at <= 400; at += 1) {
      await story.write();
      if (at % 2 === 0) await story.ask();
      if (at % 20 === 0) await story.follow();
      if (at % 50 === 0) await story.checkFollowers();
      if (at % 100 === 0) await story.changeRules();
    }
    await shop.close();
    expect(story.tally.index).toBeGreaterThan(50);
    expect(story.tally.scan).toBeGreaterThan(50);
    expect(story.tally.found).toBeGreaterThan(2_000);
  },
  120_000,
);

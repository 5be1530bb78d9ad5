import { type ContenderName, type PeerServer, present, type Site, startPeer } from './contenders.ts';
import type { LoadGenerator } from './load-generator.ts';
import type { Figures, Row, Scene, Turn } from './row.ts';

/** What all turns of a row measured, by contender. */
export interface Measured {
  readonly row: Row;
  readonly figures: ReadonlyMap<ContenderName, readonly Figures[]>;
}

interface RunOptions {
  readonly site: Site & { readonly pki: string };
  readonly load: LoadGenerator;
  readonly rounds: number;
  /** Names of rows; all of them, if empty. */
  readonly rows: readonly string[];
  readonly onTurn?: (text: string) => void;
}

/** Measures the rows of a scene: in each round all contenders, one after the other. */
export async function runScene(scene: Scene, options: RunOptions): Promise<Measured[]> {
  const rows = scene.rows.filter(({ name }) => options.rows.length === 0 || options.rows.includes(name));
  if (rows.length === 0) return [];
  const run = new SceneRun(scene, rows, options);
  try {
    await run.rounds();
  } finally {
    await run.stop();
  }
  return rows.map((row) => ({ row, figures: run.figuresOf(row) }));
}

class SceneRun {
  readonly #scene: Scene;
  readonly #rows: readonly Row[];
  readonly #options: RunOptions;
  readonly #contenders: readonly ContenderName[];
  readonly #servers = new Map<ContenderName, PeerServer>();
  readonly #figures = new Map<Row, Map<ContenderName, Figures[]>>();

  constructor(scene: Scene, rows: readonly Row[], options: RunOptions) {
    this.#scene = scene;
    this.#rows = rows;
    this.#options = options;
    const here = scene.contenders.filter((name) => present.has(name));
    // A bare server may look at what Ilk answers.
    this.#contenders = [...here.filter((name) => name !== 'bare'), ...here.filter((name) => name === 'bare')];
  }

  figuresOf(row: Row): Map<ContenderName, Figures[]> {
    return this.#figures.get(row) ?? new Map();
  }

  async rounds(): Promise<void> {
    const { lifetime, rounds = this.#options.rounds } = this.#scene;
    if (lifetime === 'scene') for (const name of this.#contenders) await this.#start(name);
    // On servers that live on, the first round is not counted: code is compiled in it.
    for (let round = lifetime === 'scene' ? -1 : 0; round < rounds; round++) {
      for (const name of this.#contenders) {
        if (lifetime === 'round') await this.#start(name);
        for (const row of this.#rows) await this.#turn(row, name, round);
        if (lifetime === 'round') await this.#stopOne(name);
      }
    }
  }

  async stop(): Promise<void> {
    for (const name of [...this.#servers.keys()]) await this.#stopOne(name);
  }

  async #start(name: ContenderName): Promise<void> {
    const { startBare, prepare, ownCertificates } = this.#scene;
    const { site } = this.#options;
    if (name === 'bare') {
      const [sample] = this.#servers.values();
      const server = await startBare?.(site, sample);
      if (server !== undefined) this.#servers.set(name, server);
      return;
    }
    const { pki: _, ...withoutCertificates } = site;
    const ownSite = ownCertificates === true && name !== 'upstream' ? withoutCertificates : site;
    const server = await startPeer(name, ownSite);
    this.#servers.set(name, server);
    await prepare?.({ contender: name, server, send: this.#sendTo(server) });
  }

  async #stopOne(name: ContenderName): Promise<void> {
    await this.#servers.get(name)?.stop();
    this.#servers.delete(name);
  }

  #sendTo(server: PeerServer): Turn['send'] {
    return (job, atEdge) => this.#options.load.run(job, server, atEdge);
  }

  async #turn(row: Row, contender: ContenderName, round: number): Promise<void> {
    const server = this.#servers.get(contender);
    if (server === undefined || row.contenders?.includes(contender) === false) return;
    const figures = await row.measure({ contender, server, round, send: this.#sendTo(server) });
    this.#options.onTurn?.(`${row.name} ${contender} ${JSON.stringify(figures)}`);
    if (round < 0) return;
    const ofRow = this.#figures.get(row) ?? new Map<ContenderName, Figures[]>();
    this.#figures.set(row, ofRow);
    ofRow.set(contender, [...(ofRow.get(contender) ?? []), figures]);
  }
}

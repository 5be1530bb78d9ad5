import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Served, startIlk, widgetCrd } from '../http/served.ts';
import type { Job, LoadGenerator, OpenJob, Outcome } from '../peer/load-generator.ts';

const users = ['quiet', 'flood', 'filler'] as const;

/** Somebody who asks the server. */
type User = (typeof users)[number];

/** The namespace whose creates a webhook has to allow that never answers. */
export const heldNamespace = 'held';

/** A server that several users share, and the generator that sends their requests. */
export class SharedServer {
  readonly served: Served;
  readonly #load: LoadGenerator;

  private constructor(served: Served, load: LoadGenerator) {
    this.served = served;
    this.#load = load;
  }

  /** Starts `ilk serve` on a folder; everybody may do everything, and says who they are by a token. */
  static async start(folder: string, load: LoadGenerator, ...flags: string[]): Promise<SharedServer> {
    mkdirSync(folder, { recursive: true });
    const [tokens, crd] = [join(folder, 'tokens.csv'), join(folder, 'crd.json')];
    writeFileSync(tokens, users.map((user) => `${user}-token,${user},${user}`).join('\n'));
    writeFileSync(crd, JSON.stringify(widgetCrd));
    const access = [`--token-auth-file=${tokens}`, '--authorization-mode=AlwaysAllow', '--crds', crd];
    return new SharedServer(await startIlk(join(folder, 'data'), ...access, ...flags), load);
  }

  /** Opens the connections of a user's job. */
  open(user: User, job: Job): OpenJob {
    const headers = { authorization: `Bearer ${user}-token`, ...job.headers };
    return this.#load.open({ ...job, headers }, { port: this.served.port });
  }

  /** Does a user's job. @throws where an answer is no success */
  async run(user: User, job: Job): Promise<Outcome> {
    const open = this.open(user, job);
    await open.ready;
    open.begin();
    const outcome = await open.outcome;
    await open.close();
    const refused = Object.keys(outcome.statuses).filter((status) => !status.startsWith('2'));
    if (refused.length > 0) throw new Error(`${user}: ${job.path}: ${JSON.stringify(outcome.statuses)}`);
    return outcome;
  }
}

import { type EtcdBinary, EtcdProcess, freePorts } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { ownsPort } from './socket-owner.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Three members, each of which reaches the others through a piece of network that can fail. */
export class EtcdCluster implements AsyncDisposable {
  readonly members: readonly EtcdProcess[];
  readonly #links: readonly TcpProxy[];

  private constructor(members: readonly EtcdProcess[], links: readonly TcpProxy[]) {
    this.members = members;
    this.#links = links;
  }

  static async start(binary: EtcdBinary): Promise<EtcdCluster> {
    const peerPorts = await freePorts(3);
    const links = await Promise.all(peerPorts.map((port) => TcpProxy.start(port)));
    const advertised = links.map(({ port }) => `http://127.0.0.1:${port}`);
    const members = await Promise.all(
      peerPorts.map((peerPort, index) =>
        EtcdProcess.make({
          binary,
          name: `m${index}`,
          peerPort,
          flags: [
            `--initial-cluster=${advertised.map((url, at) => `m${at}=${url}`).join(',')}`,
            `--initial-advertise-peer-urls=${advertised[index]}`,
            '--heartbeat-interval=50',
            '--election-timeout=500',
          ],
        }),
      ),
    );
    for (const member of members) member.spawn();
    for (const member of members) await member.listening();
    return new EtcdCluster(members, links);
  }

  get urls(): string[] {
    return this.members.map(({ url }) => url);
  }

  member(index: number): EtcdProcess {
    const member = this.members[index % this.members.length];
    if (member === undefined) throw new Error(`there is no member ${index}`);
    return member;
  }

  /** Nothing gets from one member to the others, nor from them to it; clients reach it as before. */
  cutOff(index: number): void {
    const { pid } = this.member(index);
    for (const [at, link] of this.#links.entries()) {
      const owned = new Map<number, boolean>();
      const isTheirs = (port: number) => {
        const known = owned.get(port) ?? ownsPort(pid, port);
        owned.set(port, known);
        return known;
      };
      link.hold(at === index ? () => true : ({ remotePort = 0 }) => isTheirs(remotePort));
    }
  }

  mend(): void {
    for (const link of this.#links) link.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of this.members) await member[Symbol.asyncDispose]();
    for (const link of this.#links) await link[Symbol.asyncDispose]();
  }
}

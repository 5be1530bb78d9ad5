import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Certificates, makeCertificates } from '../../src/auth/index.ts';

/** What is posted, with what came along. */
interface Posted {
  // Tests read what they expect to be there.
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly body: any;
  readonly authorization: string;
}

/** A server that answers what is posted to it, over TLS: webhooks for tokens, access and audit. */
export class ReviewServer implements AsyncDisposable {
  readonly posted: Posted[] = [];
  readonly url: string;
  readonly caPem: string;
  readonly #server: Server;
  /** Gives the answer, or a code to refuse with. */
  answer: (posted: Posted) => object | number;

  private constructor(server: Server, certificates: Certificates, answer: ReviewServer['answer']) {
    this.#server = server;
    this.answer = answer;
    const { port }: AddressInfo = server.address() as AddressInfo;
    this.url = `https://localhost:${port}/review`;
    this.caPem = certificates.ca.certPem;
    server.on('request', async (request, response) => {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      const posted = { body: JSON.parse(text), authorization: request.headers.authorization ?? '' };
      this.posted.push(posted);
      const answered = this.answer(posted);
      response.statusCode = typeof answered === 'number' ? answered : 200;
      response.end(typeof answered === 'number' ? '' : JSON.stringify(answered));
    });
  }

  static async start(answer: ReviewServer['answer']): Promise<ReviewServer> {
    const certificates = await makeCertificates(['localhost'], Date.now());
    const { certPem: cert, keyPem: key } = certificates.server;
    const server = createServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ReviewServer(server, certificates, answer);
  }

  /** The kubeconfig that leads here. */
  get kubeconfig(): string {
    const ca = Buffer.from(this.caPem).toString('base64');
    return JSON.stringify({
      'current-context': 'it',
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'me' } }],
      clusters: [{ name: 'it', cluster: { server: this.url, 'certificate-authority-data': ca } }],
      users: [{ name: 'me', user: { token: 'of-the-server' } }],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../src/meta/index.ts';
import type { IlkServer } from '../../src/server.ts';
import { type CrdShape, crdName, crdSpec, group, kindOf, type Random, randomShape } from './kinds.ts';
import { StormRecord } from './record.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** Clients of one server, with what they know of it. */
export class Storm {
  readonly record = new StormRecord();
  readonly server: IlkServer;
  readonly #random: Random;
  /** True once all changes were made. */
  over = false;

  constructor(server: IlkServer, random: Random) {
    this.server = server;
    this.#random = random;
  }

  random(below: number): number {
    return this.#random(below);
  }

  async call(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
    const response = await this.server.fetch(path, { method, ...init });
    const text = await response.text();
    const value: unknown = text.startsWith('{') ? JSON.parse(text) : {};
    this.record.answered(`${method} ${path}`, response.status, text);
    return { code: response.status, body: isObject(value) ? value : {} };
  }

  /** A moment of a few milliseconds, so that others come in between. */
  pause(): Promise<void> {
    return sleep(this.random(4));
  }

  /** A collection in one of its versions. */
  collection(plural: string, version: string): string {
    return `/apis/${group}/${version}/namespaces/default/${plural}`;
  }

  /** Changes a CRD a number of times: its schema, columns, names and versions; sometimes it is deleted and recreated. */
  async changeCrd(plural: string, times: number): Promise<void> {
    const path = `${crds}/${crdName(plural)}`;
    for (let time = 0; time < times; time += 1) {
      await this.pause();
      if (this.random(8) === 0) await this.#recreate(plural, path);
      else await this.#change(plural, path, randomShape(plural, this.#random));
    }
  }

  async createCrd(plural: string): Promise<void> {
    const spec = crdSpec(plural, randomShape(plural, this.#random), false);
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: crdName(plural) },
      spec,
    };
    const { code, body } = await this.call('POST', crds, crd);
    if (code !== 201) this.record.complain(`POST ${plural}: ${code} ${JSON.stringify(body)}`);
  }

  async #change(plural: string, path: string, shape: CrdShape): Promise<void> {
    for (;;) {
      const { code, body } = await this.call('GET', path);
      if (code !== 200) return this.record.complain(`GET ${path}: ${code}`);
      const { status } = body;
      const stored =
        isObject(status) && Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
      const put = await this.call('PUT', path, {
        ...body,
        spec: crdSpec(plural, shape, stored.includes('v2')),
      });
      if (put.code === 200) return;
      if (put.code !== 409)
        return this.record.complain(`PUT ${path}: ${put.code} ${JSON.stringify(put.body)}`);
    }
  }

  async #recreate(plural: string, path: string): Promise<void> {
    const { code } = await this.call('DELETE', path);
    if (code !== 200) this.record.complain(`DELETE ${path}: ${code}`);
    while ((await this.call('GET', path)).code !== 404) await this.pause();
    this.record.bury(plural);
    await this.createCrd(plural);
  }

  /** Creates, updates, deletes, reads and lists until the storm is over. */
  async use(plural: string, client: number): Promise<void> {
    for (let step = 0; !this.over; step += 1) {
      await this.pause();
      const version = this.random(3) === 0 ? 'v2' : 'v1';
      const collection = this.collection(plural, version);
      const name = `${client}-${this.random(8)}`;
      const what = this.random(6);
      if (what === 0) await this.#list(plural, version, collection);
      else if (what === 1) await this.#get(plural, version, `${collection}/${name}`);
      else if (what === 2) await this.#delete(`${collection}/${name}`);
      else await this.#write(plural, version, { collection, name, count: client * 10_000 + step });
    }
  }

  async #list(plural: string, version: string, collection: string): Promise<void> {
    const { buried } = this.record;
    const { code, body } = await this.call('GET', collection);
    if (code !== 200) return this.#expect(`GET ${collection}`, code, [404]);
    for (const item of Array.isArray(body['items']) ? body['items'] : [])
      this.record.seen(`GET ${collection}`, item, { plural, version, buried });
  }

  async #get(plural: string, version: string, path: string): Promise<void> {
    const { buried } = this.record;
    const { code, body } = await this.call('GET', path);
    if (code === 200) this.record.seen(`GET ${path}`, body, { plural, version, buried });
    else this.#expect(`GET ${path}`, code, [404]);
  }

  async #delete(path: string): Promise<void> {
    const { code } = await this.call('DELETE', path);
    this.#expect(`DELETE ${path}`, code, [200, 404]);
  }

  /** Creates an object, or updates the one that is there. */
  async #write(
    plural: string,
    version: string,
    { collection, name, count }: { collection: string; name: string; count: number },
  ): Promise<void> {
    const object = {
      apiVersion: `${group}/${version}`,
      kind: kindOf(plural),
      metadata: { name },
      spec: { id: `${plural}/${name}`, count },
    };
    const created = await this.call('POST', collection, object);
    if (created.code === 201) return this.#wrote(plural, version, created.body);
    this.#expect(`POST ${collection}`, created.code, [403, 404, 409]);
    if (created.code !== 409) return;
    const path = `${collection}/${name}`;
    const patched = await this.call('PATCH', path, { spec: { count } }, 'application/merge-patch+json');
    if (patched.code === 200) this.#wrote(plural, version, patched.body);
    else this.#expect(`PATCH ${path}`, patched.code, [404]);
  }

  #wrote(plural: string, version: string, body: JsonObject): void {
    this.record.acknowledged(plural, body);
    this.record.seen('the answer to a write', body, { plural, version });
  }

  #expect(what: string, code: number, codes: readonly number[]): void {
    if (!codes.includes(code)) this.record.complain(`${what}: ${code}`);
  }
}

import { isObject, type JsonObject, type JsonValue, type KubeObject, own } from '../../src/meta/index.ts';
import { type ServerOptions, startServer } from '../../src/server.ts';
import { crdOf } from '../fixtures/crd.ts';

export const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com';
const integer = { type: 'integer' };
const text = { type: 'string' };

/** The kind of the KEP, with a field for each of its matrices, and a status. */
const cronSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        cronSpec: text,
        image: text,
        replicas: integer,
        foo: { type: 'object', properties: { baz: integer, qux: integer } },
      },
    },
    status: { type: 'object', properties: { replicas: integer, load: integer } },
  },
};

export function cronVersion(name: string, more: JsonObject = {}): JsonObject {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  return {
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {}, scale },
    schema: { openAPIV3Schema: cronSchema },
    ...more,
  };
}

/** The CRD of crontabs, stored in v1 and served in v1beta1 too, with these gates. */
export function cronCrd(
  featureGates: readonly JsonObject[],
  versions: readonly JsonObject[] = [cronVersion('v1'), cronVersion('v1beta1')],
): KubeObject {
  const gates = { customFeatureGates: { featureGates: [...featureGates] } };
  return crdOf('CronTab', {
    group: 'stable.example.com',
    versions,
    spec: featureGates.length === 0 ? {} : gates,
  });
}

/** A gate that is off by default. */
export function alphaGate(name: string, ...fieldPaths: string[]): JsonObject {
  return { name, preRelease: 'alpha', fieldPaths };
}

export function cron(name: string, rest: JsonObject = {}, version = 'v1'): KubeObject {
  return { apiVersion: `stable.example.com/${version}`, kind: 'CronTab', metadata: { name }, ...rest };
}

export function cronsPath(version = 'v1'): string {
  return `/apis/stable.example.com/${version}/namespaces/default/crontabs`;
}

const json = 'application/json';
export const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const applyPatch = 'application/apply-patch+yaml';

/** An answer with its body, and the texts of its warnings. */
export interface Answer {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  readonly body: any;
  readonly warnings: readonly string[];
}

/** A server, and calls of it. */
export async function startCrons(options: ServerOptions) {
  const server = await startServer({ listen: false, ...options });
  const call = async (method: string, path: string, body?: unknown, type = json): Promise<Answer> => {
    const init = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
    const response = await server.fetch(path, { method, ...init });
    return {
      code: response.status,
      body: JSON.parse(await response.text()),
      warnings: warningsOf(response.headers.get('warning')),
    };
  };
  return {
    server,
    call,
    /** Sets `enabled` of gates, by their names; undefined takes it away. */
    async turn(states: Readonly<Record<string, boolean | undefined>>): Promise<void> {
      let answer: Answer;
      do {
        const { body } = await call('GET', crdPath);
        for (const gate of body.spec.customFeatureGates.featureGates) {
          if (!(gate.name in states)) continue;
          if (states[gate.name] === undefined) delete gate.enabled;
          else gate.enabled = states[gate.name];
        }
        answer = await call('PUT', crdPath, body);
        // A controller writes the status meanwhile.
      } while (answer.code === 409);
      if (answer.code !== 200) throw new Error(answer.body.message);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

export type Crons = Awaited<ReturnType<typeof startCrons>>;

/** The texts in `299 - "a", 299 - "b"`. */
function warningsOf(header: string | null): string[] {
  const found = (header ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g);
  return [...found].map(([, quoted = '']) => quoted.replace(/\\(.)/g, '$1'));
}

/** Who owns a field: `manager` or `manager/subresource`, in order. */
export function ownersOf(object: KubeObject, path: string): string[] {
  const { managedFields = [] } = object['metadata'] as { managedFields?: JsonObject[] };
  return managedFields
    .filter(
      (entry) =>
        fieldAt(
          entry['fieldsV1'] ?? null,
          path.split('.').map((name) => `f:${name}`),
        ) !== undefined,
    )
    .map(({ manager, subresource }) =>
      subresource === undefined ? `${manager}` : `${manager}/${subresource}`,
    )
    .sort();
}

function fieldAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((at, step) => (isObject(at) ? own(at, step) : undefined), value);
}

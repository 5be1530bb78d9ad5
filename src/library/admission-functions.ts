import { asJson } from './as-json.ts';
import { decodeJson, encodeJson } from '../codec/index.ts';
import {
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownObject,
  ownString,
} from '../meta/index.ts';
import type { WebhookFilter, WebhookResponse } from '../webhook/index.ts';

/** The request of a webhook function: the `request` of an AdmissionReview. */
export interface AdmissionRequest extends JsonObject {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
}

/** The answer of a webhook function. No answer allows the write. */
export interface AdmissionAnswer {
  /** Defaults to true, unless a message is given. */
  readonly allowed?: boolean;
  /** The reason of a denial. */
  readonly message?: string;
  /** The code of a denial, 400 and above. */
  readonly code?: number;
  /** The mutated object; absent if it does not change. */
  readonly object?: object;
  /** The operations of a JSON patch, in place of `object`. */
  readonly patch?: readonly object[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** An exception denies the write with the message of the error. */
export type Admit = (
  request: AdmissionRequest,
) => AdmissionAnswer | undefined | Promise<AdmissionAnswer | undefined>;

/** A webhook in a test. The other fields are those of a webhook in a configuration. */
export interface AdmissionFunction {
  /** With at least two dots: `cap.example.com`. */
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly admit: Admit;
  /** Defaults to all writes of all resources. */
  readonly rules?: readonly object[];
  readonly [field: string]: unknown;
}

const host = 'functions.ilk.invalid';
const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];

/**
 * Webhooks that are functions in a test: the server calls them like others, through configurations that it makes, but
 * without a network connection.
 */
export class AdmissionFunctions {
  readonly #functions: ReadonlyMap<string, AdmissionFunction>;
  /** Intercepts webhook calls, and answers those for a function. */
  readonly filter: WebhookFilter = async ({ url, document }, next) => {
    const { hostname, pathname } = new URL(url);
    const found = hostname === host ? this.#functions.get(pathname.slice(1)) : undefined;
    return found === undefined || document === undefined ? next() : answer(found, document);
  };

  constructor(functions: readonly AdmissionFunction[]) {
    this.#functions = new Map(functions.map((one) => [`${one.phase}/${one.name}`, one]));
  }

  /** The configurations for the functions. */
  get configurations(): KubeObject[] {
    return (['Mutating', 'Validating'] as const).flatMap((phase) => {
      const own = [...this.#functions.values()].filter((one) => one.phase === phase.toLowerCase());
      if (own.length === 0) return [];
      const webhooks = own.map(webhookOf);
      const kind = `${phase}WebhookConfiguration`;
      const apiVersion = 'admissionregistration.k8s.io/v1';
      return [{ apiVersion, kind, metadata: { name: 'functions' }, webhooks }];
    });
  }
}

function webhookOf({ phase, admit: _, rules = everything, ...more }: AdmissionFunction): JsonObject {
  const webhook = {
    rules,
    clientConfig: { url: `https://${host}/${phase}/${more.name}` },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  };
  return asJson(webhook);
}

async function answer({ admit }: AdmissionFunction, document: Uint8Array): Promise<WebhookResponse> {
  const { value } = decodeJson(document);
  const review = isObject(value) ? value : {};
  const request = ownObject(review, 'request') ?? {};
  const uid = ownString(request, 'uid') ?? '';
  const response = await responseOf(admit, request);
  const { apiVersion = null, kind = null } = review;
  const body = encodeJson({ apiVersion, kind, response: { uid, ...response } });
  return { code: 200, contentType: 'application/json', body };
}

async function responseOf(admit: Admit, request: JsonObject): Promise<JsonObject> {
  try {
    const uid = ownString(request, 'uid') ?? '';
    const operation = ownString(request, 'operation');
    const known = operation === 'UPDATE' || operation === 'DELETE' ? operation : 'CREATE';
    const said = (await admit({ ...request, uid, operation: known })) ?? {};
    return said.allowed === false || said.message !== undefined ? denial(said) : permission(said, request);
  } catch (error) {
    return denial({ message: error instanceof Error ? error.message : String(error) });
  }
}

function denial({ message, code, warnings, auditAnnotations }: AdmissionAnswer): JsonObject {
  return asJson({ allowed: false, status: { message, code }, warnings, auditAnnotations });
}

function permission(said: AdmissionAnswer, request: JsonObject): JsonObject {
  const { object, patch, warnings, auditAnnotations } = said;
  const operations =
    patch ?? (object === undefined ? [] : difference(own(request, 'object') ?? {}, asJson(object)));
  const encoded = Buffer.from(JSON.stringify(operations)).toString('base64');
  const patched = operations.length === 0 ? {} : { patchType: 'JSONPatch', patch: encoded };
  return asJson({ allowed: true, ...patched, warnings, auditAnnotations });
}

/** The JSON patch between two objects, by the fields of the root. */
function difference(from: JsonValue, to: JsonObject): object[] {
  const before = isObject(from) ? from : {};
  const pathOf = (field: string) => `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const gone = Object.keys(before).filter((field) => !Object.hasOwn(to, field));
  const changed = Object.entries(to).filter(
    ([field, value]) => !equal(own(before, field) ?? null, value) || !Object.hasOwn(before, field),
  );
  return [
    ...gone.map((field) => ({ op: 'remove', path: pathOf(field) })),
    ...changed.map(([field, value]) => ({ op: 'add', path: pathOf(field), value })),
  ];
}

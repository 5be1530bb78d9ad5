import { DecodeError, decodeJson } from '../../codec/index.ts';
import {
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownString,
  put,
  required,
  tooLong,
} from '../../meta/index.ts';
import { checkData, dataBytesMax, mapAt } from './data-keys.ts';
import { immutableDataErrors } from './immutable-data.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** `stringData` is write-only: its values overwrite those in `data`. */
function foldStringData(secret: KubeObject): void {
  if (own(secret, 'stringData') === undefined) return;
  const texts = mapAt(secret, 'stringData');
  delete secret['stringData'];
  if (Object.keys(texts).length === 0) return;
  const data: JsonObject = { ...mapAt(secret, 'data') };
  for (const [key, text] of Object.entries(texts)) {
    put(data, key, Buffer.from(String(text)).toString('base64'));
  }
  secret['data'] = data;
}

type KeyCheck = (data: JsonObject, secret: KubeObject) => FieldError[];

const present =
  (...keys: readonly string[]): KeyCheck =>
  (data) =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));

/** The error text of upstream hides the contents as well. */
const json =
  (key: string): KeyCheck =>
  (data) => {
    const value = own(data, key);
    if (typeof value !== 'string') return [required(`data[${key}]`)];
    try {
      decodeJson(Buffer.from(value, 'base64'));
      return [];
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return [invalid(`data[${key}]`, '<secret contents redacted>', error.message)];
    }
  };

const accountAnnotation = 'kubernetes.io/service-account.name';

/** What the types that Kubernetes knows need. Source: kubernetes, pkg/apis/core/validation, ValidateSecret. */
const checkOfType: ReadonlyMap<string, KeyCheck> = new Map<string, KeyCheck>([
  [
    'kubernetes.io/service-account-token',
    (_, secret) =>
      (ownString(mapAt(metadataOf(secret), 'annotations'), accountAnnotation) ?? '') === ''
        ? [required(`metadata.annotations[${accountAnnotation}]`)]
        : [],
  ],
  ['kubernetes.io/dockercfg', json('.dockercfg')],
  ['kubernetes.io/dockerconfigjson', json('.dockerconfigjson')],
  [
    'kubernetes.io/basic-auth',
    (data, secret) => {
      const missing = present('username', 'password')(data, secret);
      return missing.length === 2 ? missing : [];
    },
  ],
  [
    'kubernetes.io/ssh-auth',
    (data) => ((ownString(data, 'ssh-privatekey') ?? '') === '' ? [required('data[ssh-privatekey]')] : []),
  ],
  ['kubernetes.io/tls', present('tls.crt', 'tls.key')],
]);

const typeOf = (secret: KubeObject) => ownString(secret, 'type') ?? '';

function validate(secret: KubeObject): FieldError[] {
  const data = mapAt(secret, 'data');
  const { errors, bytes } = checkData(secret, 'data', 'base64');
  const size = bytes > dataBytesMax ? [tooLong('data', dataBytesMax)] : [];
  const ofType = checkOfType.get(typeOf(secret))?.(data, secret) ?? [];
  return [...errors, ...size, ...ofType];
}

export const secretKind: BuiltInKind = {
  strategy: ruledStrategy({
    rules: [{ path: 'type', immutable: true }],
    validate,
    validateChange: (secret, old) => immutableDataErrors(secret, old, ['data']),
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'Secret',
    resource: 'secrets',
    namespaced: true,
    selectableFields: [{ fieldPath: 'type' }],
    complete: foldStringData,
    columns: [
      column('Type', '.type', { description: 'The type of the secret.' }),
      column('Data', '', {
        type: 'integer',
        read: (secret) => Object.keys(mapAt(secret, 'data')).length,
        description: 'The number of keys.',
      }),
      ageColumn,
    ],
  }),
};

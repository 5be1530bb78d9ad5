import { type Check, boolean, fields, listOf, number, object, required, text } from './checks.ts';
import { invalidOption } from './option-error.ts';
import { driverOf } from '../../storage/index.ts';

const tls = fields({ caPem: text, certPem: text, keyPem: text });
const user = required(['name', 'password'], fields({ name: text, password: text }));
const connections = { min: 1, max: 1_000, reason: 'not a number of connections.' };

/** The options of each driver. */
const byKind: ReadonlyMap<string, Check> = new Map([
  ['memory', fields({ kind: text })],
  ['sqlite', required(['dataDir'], fields({ kind: text, dataDir: text, acceptMissingWal: boolean }))],
  ['etcd', required(['endpoints'], fields({ kind: text, endpoints: listOf(text), prefix: text, tls, user }))],
  [
    'postgres',
    required(
      ['url'],
      fields({
        kind: text,
        url: text,
        password: text,
        tls,
        schema: text,
        tablePrefix: text,
        poolMax: number(connections),
      }),
    ),
  ],
]);

/** Storage by its kind. */
export const storage: Check = (value, option) => {
  required(['kind'], object)(value, option);
  const kind: unknown = Reflect.get(Object(value), 'kind');
  text(kind, `${option}.kind`);
  try {
    driverOf(String(kind));
  } catch (error) {
    throw invalidOption(`${option}.kind`, kind, error instanceof Error ? error.message : String(error));
  }
  byKind.get(String(kind))?.(value, option);
};

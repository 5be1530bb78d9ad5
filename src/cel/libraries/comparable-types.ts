import * as params from '../functions/param.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../values/value.ts';

/** Ordered types, with their names in Kubernetes' overload ids. */
export const comparableTypes: readonly {
  readonly name: string;
  readonly param: params.Param<Value>;
  readonly type: Type;
}[] = [
  { name: 'int', param: params.int },
  { name: 'uint', param: params.uint },
  { name: 'double', param: params.double },
  { name: 'bool', param: params.bool },
  { name: 'duration', param: params.duration },
  { name: 'timestamp', param: params.timestamp },
  { name: 'string', param: params.string },
  { name: 'bytes', param: params.bytes },
].map(({ name, param }) => ({ name, param, type: param.type }));

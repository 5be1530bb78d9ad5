import {
  CelList,
  CelMessage,
  jsonPatchType,
  listType,
  NotPlain,
  plainValue,
  type Result,
  typeNameOf,
  type Value,
} from '../../../cel/index.ts';
import { isObject, type JsonObject, type KubeObject } from '../../../meta/index.ts';
import {
  applyJsonPatch,
  isJsonPatchError,
  JsonPatchTestError,
  parseJsonPatch,
} from '../../../patch/index.ts';
import { EvaluationFailure, MutationError, type PatchKind, type PatchTarget } from './patch-kind.ts';
import { requireTypeNames } from './type-names.ts';

/** `[JSONPatch{op, path, from, value}]`. If a test fails, nothing changes. */
export const jsonPatch: PatchKind = {
  patchType: 'JSONPatch',
  field: 'jsonPatch',
  returnType: listType(jsonPatchType),

  patch(value: Value, { object }: PatchTarget): KubeObject {
    const operations = operationsOf(value);
    try {
      const patched = applyJsonPatch(object, parseJsonPatch(operations));
      if (isObject(patched)) return patched;
      throw new MutationError('JSON Patch: the patched object is no object');
    } catch (error) {
      if (error instanceof JsonPatchTestError) return object;
      if (isJsonPatchError(error)) throw new MutationError(`JSON Patch: ${error.message}`);
      throw error;
    }
  },
};

function operationsOf(value: Value): JsonObject[] {
  if (!(value instanceof CelList)) {
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  }
  return Array.from({ length: value.size }, (_, index) => operationOf(value.at(index)));
}

/** An empty `from` counts as absent. */
function operationOf(patch: Result): JsonObject {
  if (!(patch instanceof CelMessage)) {
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  }
  const { fields } = patch;
  const [from, value] = [textOf(fields, 'from'), fields.get('value')];
  return {
    op: textOf(fields, 'op'),
    path: textOf(fields, 'path'),
    ...(from === '' ? {} : { from }),
    ...(value === undefined ? {} : { value: jsonOf(value) }),
  };
}

function textOf(fields: CelMessage['fields'], name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value === 'string') return value;
  throw new EvaluationFailure(`unexpected type ${goTypeOf(value)} for JSONPatchType '${name}' field`);
}

function goTypeOf(value: Value): string {
  const name = typeNameOf(value);
  return name === 'int' ? 'int64' : name === 'uint' ? 'uint64' : name === 'double' ? 'float64' : name;
}

function jsonOf(value: Value) {
  if (value instanceof CelMessage) requireTypeNames(value);
  try {
    return plainValue(value, () => {
      throw new NotPlain('proto: invalid type: structpb.NullValue');
    });
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    const what = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
    throw new MutationError(`${what}: ${error.message}`);
  }
}

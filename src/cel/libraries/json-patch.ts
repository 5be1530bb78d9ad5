import { scanCost } from '../cost/builders.ts';
import { globalOverload } from '../functions/function.ts';
import { string } from '../functions/param.ts';
import type { MessageType } from '../types/message-type.ts';
import { dynType, stringType, structType, type Type } from '../types/type.ts';
import type { Library } from './library.ts';

/** The list type that JSON patch expressions return. */
export const jsonPatchType = structType('JSONPatch');
/** The type of apply configurations. */
export const applyConfigurationType = structType('Object');

const patchFields: ReadonlyMap<string, Type> = new Map([
  ['op', stringType],
  ['path', stringType],
  ['from', stringType],
  ['value', dynType],
]);
/** Upstream's type of a missing field: it has no values and prints as an empty string. */
const noType = structType('');
const jsonPatch: MessageType = {
  type: jsonPatchType,
  fieldType: (name) => patchFields.get(name) ?? noType,
};

/** `JSONPatch`, and `Object` with everything below it, whose fields are unknown. */
function patchType(name: string): MessageType | undefined {
  if (name === 'JSONPatch') return jsonPatch;
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { type: structType(name), fieldType: () => dynType };
}

/**
 * `jsonpatch.escapeKey`, which escapes a key for a JSON pointer, and the patch types. Only for mutating admission
 * policies.
 */
export function jsonPatchLibrary(): Library {
  return {
    name: 'kubernetes.jsonpatch',
    messages: patchType,
    functions: [
      {
        name: 'jsonpatch.escapeKey',
        overloads: [
          globalOverload('string_jsonpatch_escapeKey_string', [string], stringType, (key) =>
            key.replaceAll('~', '~0').replaceAll('/', '~1'),
          ),
        ],
      },
    ],
    costs: { functions: { 'jsonpatch.escapeKey': scanCost(1, { keepsSize: true }) } },
  };
}

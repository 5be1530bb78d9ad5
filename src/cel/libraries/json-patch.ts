import { scanCost } from '../cost/builders.ts';
import { globalOverload } from '../functions/function.ts';
import { string } from '../functions/param.ts';
import { stringType } from '../types/type.ts';
import type { Library } from './library.ts';

/** `jsonpatch.escapeKey`: a key as a part of a JSON pointer. Only mutating admission policies have it. */
export function jsonPatchLibrary(): Library {
  return {
    name: 'kubernetes.jsonpatch',
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

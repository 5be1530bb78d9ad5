import { actualSize } from '../../cost/actual-size.ts';
import { unitCost } from '../../cost/builders.ts';
import { regexFactor, stringFactor } from '../../cost/constants.ts';
import type { CallCost } from '../../cost/function-costs.ts';
import { scale } from '../../cost/size.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../../functions/function.ts';
import { instance, string } from '../../functions/param.ts';
import { listType, optionalType, stringType, structType } from '../../types/type.ts';
import { type CelError, noSuchOverload } from '../../values/cel-error.ts';
import { ArrayList } from '../../values/list.ts';
import { CelOpaque } from '../../values/opaque.ts';
import { CelOptional, optionalNone } from '../../values/optional.ts';
import type { Value } from '../../values/value.ts';
import type { Library } from '../library.ts';
import { type NamedFormat, namedFormats } from './named-formats.ts';

/** A format as a value. */
class CelFormat extends CelOpaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CelFormat ? other.format.name === this.format.name : noSuchOverload;
  }
}

const formatType = structType('kubernetes.NamedFormat');
const format = instance(formatType, CelFormat);

const constantFormats = Array.from(namedFormats, ([name, named]): FunctionDeclaration => {
  const value = new CelFormat(named);
  return {
    name: `format.${name}`,
    overloads: [globalOverload(`format.${name}`, [], formatType, () => value)],
  };
});

const functions: readonly FunctionDeclaration[] = [
  ...constantFormats,
  {
    name: 'format.named',
    overloads: [
      globalOverload('format-named', [string], optionalType(formatType), (name) => {
        const named = namedFormats.get(name);
        return named === undefined ? optionalNone : new CelOptional(new CelFormat(named));
      }),
    ],
  },
  {
    name: 'validate',
    overloads: [
      memberOverload(
        'format-validate',
        [format, string],
        optionalType(listType(stringType)),
        (named, text) => {
          const problems = named.format.validate(text);
          return problems.length === 0 ? optionalNone : new CelOptional(new ArrayList(problems));
        },
      ),
    ],
  },
];

/** The longest pattern of a format, as upstream estimates it. */
const maxPatternSize = 128;

/** Charged like matching a pattern: the estimate uses the longest one, the actual cost the format's own. */
const validateCost: CallCost = {
  estimate({ args: [text], sizeOf }) {
    if (text === undefined) return undefined;
    return { cost: scale(scale(sizeOf(text), stringFactor), maxPatternSize * regexFactor) };
  },
  actual({ args: [named = null, text = null] }) {
    if (!(named instanceof CelFormat)) return undefined;
    return (
      Math.ceil((1 + actualSize(text)) * stringFactor) * Math.ceil(named.format.patternSize * regexFactor)
    );
  },
};

/** Kubernetes' named formats. */
export function formatLibrary(): Library {
  return {
    name: 'kubernetes.format',
    functions,
    types: [formatType],
    costs: { functions: { 'format.named': unitCost, validate: validateCost } },
  };
}

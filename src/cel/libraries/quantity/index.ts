import { scanCost, unitCost } from '../../cost/builders.ts';
import { type FunctionDeclaration, globalOverload, memberOverload } from '../../functions/function.ts';
import { instance, int, string } from '../../functions/param.ts';
import { boolType, doubleType, intType, structType } from '../../types/type.ts';
import { CelError, isError, noSuchOverload } from '../../values/cel-error.ts';
import { CelDouble } from '../../values/double.ts';
import { intOf } from '../../values/int.ts';
import { CelOpaque } from '../../values/opaque.ts';
import type { CelInt, Result, Value } from '../../values/value.ts';
import type { Library } from '../library.ts';
import {
  addAmounts,
  type Amount,
  approximateAmount,
  compareAmounts,
  integerAmount,
  negateAmount,
  parseQuantity,
} from './amount.ts';

/** A resource quantity as a value: `500m`, `1.5Gi`. */
class CelQuantity extends CelOpaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly amount: Amount;

  constructor(amount: Amount) {
    super();
    this.amount = amount;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CelQuantity ? this.compare(other) === 0 : noSuchOverload;
  }

  compare(other: CelQuantity): -1 | 0 | 1 {
    return compareAmounts(this.amount, other.amount);
  }
}

function toQuantity(text: string): Result {
  const amount = parseQuantity(text);
  return isError(amount) ? amount : new CelQuantity(amount);
}

function toInteger({ amount }: CelQuantity): Result {
  const value = integerAmount(amount);
  return value === undefined ? new CelError('cannot convert value to integer') : intOf(value);
}

function signOf({ amount: { value } }: CelQuantity): CelInt {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

function plus(left: CelQuantity, right: CelQuantity): CelQuantity {
  return new CelQuantity(addAmounts(left.amount, right.amount));
}

function minus(left: CelQuantity, right: CelQuantity): CelQuantity {
  return new CelQuantity(addAmounts(left.amount, negateAmount(right.amount)));
}

function ofInt(value: CelInt): CelQuantity {
  return new CelQuantity({ value: BigInt(value), scale: 0, exact: true });
}

const quantityType = structType('kubernetes.Quantity');
const quantity = instance(quantityType, CelQuantity);

const functions: readonly FunctionDeclaration[] = [
  { name: 'quantity', overloads: [globalOverload('string_to_quantity', [string], quantityType, toQuantity)] },
  {
    name: 'isQuantity',
    overloads: [
      globalOverload('is_quantity_string', [string], boolType, (text) => !isError(parseQuantity(text))),
    ],
  },
  { name: 'sign', overloads: [globalOverload('quantity_sign', [quantity], intType, signOf)] },
  {
    name: 'isGreaterThan',
    overloads: [
      memberOverload(
        'quantity_is_greater_than',
        [quantity, quantity],
        boolType,
        (x, y) => x.compare(y) === 1,
      ),
    ],
  },
  {
    name: 'isLessThan',
    overloads: [
      memberOverload('quantity_is_less_than', [quantity, quantity], boolType, (x, y) => x.compare(y) === -1),
    ],
  },
  {
    name: 'compareTo',
    overloads: [memberOverload('quantity_compare_to', [quantity, quantity], intType, (x, y) => x.compare(y))],
  },
  {
    name: 'asApproximateFloat',
    overloads: [
      memberOverload(
        'quantity_get_float',
        [quantity],
        doubleType,
        ({ amount }) => new CelDouble(approximateAmount(amount)),
      ),
    ],
  },
  { name: 'asInteger', overloads: [memberOverload('quantity_get_int', [quantity], intType, toInteger)] },
  {
    name: 'isInteger',
    overloads: [
      memberOverload(
        'quantity_is_integer',
        [quantity],
        boolType,
        ({ amount }) => integerAmount(amount) !== undefined,
      ),
    ],
  },
  {
    name: 'add',
    overloads: [
      memberOverload('quantity_add', [quantity, quantity], quantityType, plus),
      memberOverload('quantity_add_int', [quantity, int], quantityType, (x, y) => plus(x, ofInt(y))),
    ],
  },
  {
    name: 'sub',
    overloads: [
      memberOverload('quantity_sub', [quantity, quantity], quantityType, minus),
      memberOverload('quantity_sub_int', [quantity, int], quantityType, (x, y) => minus(x, ofInt(y))),
    ],
  },
];

/** Kubernetes' quantities. */
export function quantityLibrary(): Library {
  return {
    name: 'kubernetes.quantity',
    functions,
    types: [quantityType],
    costs: {
      functions: {
        quantity: scanCost(1),
        isQuantity: scanCost(1),
        sign: unitCost,
        isGreaterThan: unitCost,
        isLessThan: unitCost,
        compareTo: unitCost,
        asApproximateFloat: unitCost,
        asInteger: unitCost,
        isInteger: unitCost,
        add: unitCost,
        sub: unitCost,
      },
    },
  };
}

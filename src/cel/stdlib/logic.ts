import { builtInOverload, type FunctionDeclaration, globalOverload } from '../functions/function.ts';
import { bool } from '../functions/param.ts';
import { boolType, typeParam } from '../types/type.ts';

const a = typeParam('A');

/** The operators that the evaluators implement: they do not evaluate some operands, or absorb their errors. */
export const logic: readonly FunctionDeclaration[] = [
  { name: '_?_:_', mismatch: 'nothing', overloads: [builtInOverload('conditional', [boolType, a, a], a)] },
  {
    name: '_&&_',
    mismatch: 'nothing',
    overloads: [builtInOverload('logical_and', [boolType, boolType], boolType)],
  },
  {
    name: '_||_',
    mismatch: 'nothing',
    overloads: [builtInOverload('logical_or', [boolType, boolType], boolType)],
  },
  {
    name: '!_',
    mismatch: 'nothing',
    overloads: [globalOverload('logical_not', [bool], boolType, (value) => !value)],
  },
  {
    name: '@not_strictly_false',
    mismatch: 'nothing',
    overloads: [builtInOverload('not_strictly_false', [boolType], boolType)],
  },
  { name: '_==_', mismatch: 'nothing', overloads: [builtInOverload('equals', [a, a], boolType)] },
  { name: '_!=_', mismatch: 'nothing', overloads: [builtInOverload('not_equals', [a, a], boolType)] },
];

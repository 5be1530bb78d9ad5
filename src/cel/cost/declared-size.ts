import type { Declarations } from '../checker/declarations.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import { type Range, unknownSize } from './size.ts';

/**
 * The declared size of the value at a path; undefined if the path does not exist. As upstream, a path that starts with
 * no variable (elements of a literal start with `@items`) is resolved from the first declared variable, without its
 * first step.
 */
export function declaredSize(
  path: readonly string[] | undefined,
  declarations: Declarations,
): Range | undefined {
  if (path === undefined || path.length === 0) return undefined;
  const [first = '', ...steps] = path;
  const [root] = declarations.variables.values();
  let type: DeclaredType | undefined = unwrap(declarations.variables.get(first.replace(/^\./, '')) ?? root);
  for (const step of steps) {
    if (type === undefined) return undefined;
    type = unwrap(stepInto(type, step));
  }
  return type && sizeOfType(type);
}

function stepInto(type: DeclaredType, step: string): DeclaredType | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return type.kind === 'list' ? type.items : type.kind === 'map' ? type.values : undefined;
    case '@keys':
      return type.kind === 'map' ? type.keys : undefined;
    default:
      return type.kind === 'object' ? type.fields.get(step)?.type : undefined;
  }
}

function unwrap(type: DeclaredType | undefined): DeclaredType | undefined {
  return type?.kind === 'optional' ? unwrap(type.value) : type;
}

/** The declared maximum; without one, strings, bytes, lists and maps are unlimited, and other types have no size. */
function sizeOfType(type: DeclaredType): Range {
  if (type.maxElements !== undefined) return { min: 0n, max: BigInt(type.maxElements) };
  const isSized = ['string', 'bytes', 'list', 'map', 'dyn', 'intOrString'].includes(type.kind);
  return isSized ? unknownSize : { min: 0n, max: 0n };
}

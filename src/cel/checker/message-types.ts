import type { MessageType } from '../types/message-type.ts';
import { formatType, type Type } from '../types/type.ts';
import { candidateNames, type TypeEnvironment } from './type-environment.ts';

/** The type named by a message literal, if it exists. */
export function findMessageType(
  name: string,
  environment: Pick<TypeEnvironment, 'container' | 'messageType'>,
): MessageType | undefined {
  for (const candidate of candidateNames(environment.container, name)) {
    const found = environment.messageType(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function fieldMismatch(name: string, expected: Type, actual: Type): string {
  const types = `is '${formatType(expected)}' but provided type is '${formatType(actual)}'`;
  return `expected type of field '${name}' ${types}`;
}

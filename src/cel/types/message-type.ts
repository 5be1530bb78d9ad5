import type { Type } from './type.ts';

/** A message type of expressions: `Name{field: value}`. */
export interface MessageType {
  /** A struct type. */
  readonly type: Type;
  /** The type of a field; undefined if it does not exist. */
  fieldType(name: string): Type | undefined;
}

/** Resolves a type name; undefined if the name is unknown. */
export type FindMessageType = (name: string) => MessageType | undefined;

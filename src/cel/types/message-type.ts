import type { Type } from './type.ts';

/** A type that expressions make values of: `Name{field: value}`. */
export interface MessageType {
  /** A struct type. */
  readonly type: Type;
  /** The type of a field; undefined where it has none of that name. */
  fieldType(name: string): Type | undefined;
}

/** Gives the type of a name; undefined where the name is none of its types'. */
export type FindMessageType = (name: string) => MessageType | undefined;

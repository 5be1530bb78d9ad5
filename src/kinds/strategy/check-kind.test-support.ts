import { fieldErrorText, type KubeObject, StatusError } from '../../meta/index.ts';
import type { BuiltInKind } from '../definition/kind.ts';
import type { Endpoint, StrategyContext } from './strategy.ts';

/** The context of a write by alice, at the start of 1970. */
export function contextOf({ type }: BuiltInKind): StrategyContext {
  const user = { name: 'alice', groups: [] };
  return { type, version: type.storageVersion, clock: { now: () => 0 }, user };
}

/** An object with the defaults of its kind, as a decoded one has. */
function decoded(kind: BuiltInKind, object: KubeObject): KubeObject {
  const copy: KubeObject = { metadata: { name: 'a' }, ...structuredClone(object) };
  kind.type.storageVersion.schema().normalize(copy, { applyDefaults: true });
  return copy;
}

/** A new object as it would be stored. */
export function created(kind: BuiltInKind, object: KubeObject): KubeObject {
  const copy = decoded(kind, object);
  kind.strategy.prepareForCreate(copy, contextOf(kind));
  return copy;
}

/** What is wrong with a new object. */
export function createErrors(kind: BuiltInKind, object: KubeObject): string[] {
  try {
    return kind.strategy.validateCreate(created(kind, object), contextOf(kind)).errors.map(fieldErrorText);
  } catch (error) {
    if (error instanceof StatusError) return [error.message];
    throw error;
  }
}

/** What is wrong with an update, or the object that it makes. */
export function updated(kind: BuiltInKind, old: KubeObject, object: KubeObject, endpoint: Endpoint = '') {
  const [before, after] = [created(kind, old), decoded(kind, object)];
  if (old['status'] !== undefined) before['status'] = structuredClone(old['status']);
  const context = contextOf(kind);
  kind.strategy.prepareForUpdate(after, before, endpoint, context);
  const { errors } = kind.strategy.validateUpdate(after, before, endpoint, context);
  return errors.length > 0 ? errors.map(fieldErrorText) : after;
}

import { type JsonObject, own, ownString } from '../../meta/index.ts';
import { stringsOf, textOf } from '../spec-view.ts';

/** A gate on fields of a custom resource (KEP-2608) and its state. Frozen. */
export interface FieldGate {
  readonly name: string;
  /** The owner of the CRD's gates; empty if the CRD does not say. */
  readonly component: string;
  /** `alpha`, `beta`, `stable` or `deprecated`. */
  readonly preRelease: string;
  /** As the CRD has it: `.spec.color`. */
  readonly fieldPaths: readonly string[];
  /** The state while `enabled` is not set. */
  readonly default: boolean;
  /** The effective state: a gate is also off while a gate that it is nested in is off. */
  readonly enabled: boolean;
  /** The gate that causes it to be off: itself, or one that it is nested in. */
  readonly disabledBy: string | undefined;
  /** The warning for requests that use its fields, if the CRD has one. */
  readonly deprecationWarning: string | undefined;
}

/** The inputs of a gate's state. */
interface GateSettings {
  readonly preRelease: string;
  readonly enabled: boolean | undefined;
  readonly default: boolean | undefined;
}

/** True if the gate by itself is on. Follows the function of the KEP, in its order: stable comes first. */
export function isFeatureGateEnabled(gate: GateSettings): boolean {
  if (gate.preRelease === 'stable') return true;
  return gate.enabled ?? gate.default ?? gate.preRelease === 'beta';
}

/** The fields of a gate that determine its state. */
export function gateSettings(raw: JsonObject): GateSettings {
  return {
    preRelease: textOf(raw, 'preRelease'),
    enabled: booleanOf(raw, 'enabled'),
    default: booleanOf(raw, 'default'),
  };
}

function booleanOf(raw: JsonObject, field: string): boolean | undefined {
  const value = own(raw, field);
  return typeof value === 'boolean' ? value : undefined;
}

/** Makes a gate from the CRD's entry and the gate that turns it off, if any. */
export function fieldGate(raw: JsonObject, component: string, disabledBy: string | undefined): FieldGate {
  const settings = gateSettings(raw);
  return Object.freeze({
    name: textOf(raw, 'name'),
    component,
    preRelease: settings.preRelease,
    fieldPaths: Object.freeze(stringsOf(raw, 'fieldPaths')),
    default: isFeatureGateEnabled({ ...settings, enabled: undefined }),
    enabled: disabledBy === undefined,
    disabledBy,
    deprecationWarning: ownString(raw, 'fieldDeprecationWarning'),
  });
}

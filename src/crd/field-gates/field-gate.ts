import { type JsonObject, own, ownString } from '../../meta/index.ts';
import { stringsOf, textOf } from '../spec-view.ts';

/** A gate on fields of a custom resource (KEP-2608), in the state that it is in. Frozen. */
export interface FieldGate {
  readonly name: string;
  /** To whom the gates of the CRD belong; empty where it does not say. */
  readonly component: string;
  /** `alpha`, `beta`, `stable` or `deprecated`. */
  readonly preRelease: string;
  /** As written: `.spec.color`. */
  readonly fieldPaths: readonly string[];
  /** The state that it is in while nobody sets `enabled`. */
  readonly default: boolean;
  /** The state that counts: off also while a gate is off that it is nested in. */
  readonly enabled: boolean;
  /** The gate that is the reason for being off: itself, or one that it is nested in. */
  readonly disabledBy: string | undefined;
  /** The text for requests that use its fields, where the CRD has one. */
  readonly deprecationWarning: string | undefined;
}

/** What the state of a gate depends on. */
interface GateSettings {
  readonly preRelease: string;
  readonly enabled: boolean | undefined;
  readonly default: boolean | undefined;
}

/** Whether a gate by itself is on. This is the function of the KEP, in its order: stable comes first. */
export function isFeatureGateEnabled(gate: GateSettings): boolean {
  if (gate.preRelease === 'stable') return true;
  return gate.enabled ?? gate.default ?? gate.preRelease === 'beta';
}

/** What a gate says about its state. */
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

/** A gate from what the CRD says and who is the reason for its being off. */
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

import type { FieldGate } from './field-gate.ts';
import type { GateEffect } from './apply-field-gates.ts';

/** The warning about a {@link GateEffect} on an object of a kind. */
export function gateWarning({ kind: effect, gate, path, above }: GateEffect, kind: string): string {
  const field = `${kind} ${path}`;
  switch (effect) {
    case 'deprecated':
      return gate.deprecationWarning ?? `${field}: deprecated (feature gate ${gate.name})`;
    case 'dropped':
      return `${field}: dropped (${reason(gate)})`;
    case 'removed':
      return `${field}: removed together with ${above} (${reason(gate)})`;
    default:
      return `${field}: unchanged (${reason(gate)})`;
  }
}

function reason({ name, disabledBy }: FieldGate): string {
  const off = `feature gate ${name} is disabled`;
  return disabledBy === undefined || disabledBy === name ? off : `${off} because ${disabledBy} is`;
}

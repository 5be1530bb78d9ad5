/** Tells whether a gate is on; undefined for an unknown gate. */
export type GateState = (name: string) => boolean | undefined;

/** The parts of an expression that a scan must skip: comments and strings, raw strings first. */
const opaque = [
  String.raw`\/\/[^\n]*`,
  String.raw`\b(?:[rR][bB]?|[bB][rR])(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')`,
  String.raw`"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''`,
  String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`,
].join('|');

/** `featureGates.enabled('Name')`, with the name in either kind of quotes. */
const call = String.raw`(?<![\w.])featureGates\s*\.\s*enabled\s*\(\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)")\s*\)`;

const token = new RegExp(`${call}|${opaque}`, 'g');

/**
 * Replaces each `featureGates.enabled('Name')` in an expression by `true` or `false`, padded with blanks so that
 * error positions stay right. A call with an unknown gate stays unchanged, which does not compile.
 */
export function resolveRuleText(source: string, stateOf: GateState): string {
  if (!source.includes('featureGates')) return source;
  return source.replace(token, (text, single?: string, double?: string) => {
    const name = single ?? double;
    const state = name === undefined ? undefined : stateOf(name);
    return state === undefined ? text : String(state).padEnd(text.length);
  });
}

/** The gates that an expression refers to. */
export function gatesAskedFor(source: string): string[] {
  const names: string[] = [];
  resolveRuleText(source, (name) => {
    names.push(name);
    return undefined;
  });
  return names;
}

/** Tells whether a gate is on; undefined where there is no such gate. */
export type GateState = (name: string) => boolean | undefined;

/** What a scan of an expression must not look into: comments and texts, raw ones first. */
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
 * An expression in which each `featureGates.enabled('Name')` is `true` or `false`. Blanks follow, so that everything
 * else stays where errors say it is. A gate that there is not stays as it is written, which does not compile.
 */
export function resolveRuleText(source: string, stateOf: GateState): string {
  if (!source.includes('featureGates')) return source;
  return source.replace(token, (text, single?: string, double?: string) => {
    const name = single ?? double;
    const state = name === undefined ? undefined : stateOf(name);
    return state === undefined ? text : String(state).padEnd(text.length);
  });
}

/** The gates that an expression asks for. */
export function gatesAskedFor(source: string): string[] {
  const names: string[] = [];
  resolveRuleText(source, (name) => {
    names.push(name);
    return undefined;
  });
  return names;
}

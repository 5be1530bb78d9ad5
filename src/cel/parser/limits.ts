/** cel-go's limits on the text of an expression. */
export const parserLimits = {
  /** The maximum number of code points of an expression. */
  expressionCodePoints: 100_000,
  /** The maximum nesting depth. */
  recursionDepth: 250,
  /** The maximum number of nodes, including expanded macros: `optMap` copies its target. Our own limit. */
  nodes: 500_000,
} as const;

/** cel-go's limits on the text of an expression. */
export const parserLimits = {
  /** Code points in one expression. */
  expressionCodePoints: 100_000,
  /** How deep expressions may nest. */
  recursionDepth: 250,
  /** Nodes in one expression, those of expanded macros included: `optMap` copies what it is called on. Our own limit. */
  nodes: 500_000,
} as const;

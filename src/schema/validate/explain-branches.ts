import { goQuote } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { Findings } from './findings.ts';
import type { Explain, Visit } from './visit.ts';

/**
 * Explains `anyOf`, `oneOf`, `allOf` and `not`. Values inside of branches have no old counterpart, as upstream: an
 * unchanged error in a branch is only tolerated if the whole value is unchanged.
 */
export function explainBranches(visit: Visit, findings: Findings, explain: Explain): void {
  const tryBranches = (branches: readonly SchemaNode[]) =>
    branches.map((node) => tryBranch(visit, node, explain));
  findings.matches += 2;
  const { node } = visit;
  const path = goQuote(visit.path);
  if (node.anyOf.length > 0) explainAnyOf(tryBranches(node.anyOf), path, findings);
  if (node.oneOf.length > 0) explainOneOf(tryBranches(node.oneOf), path, findings);
  if (node.allOf.length > 0) explainAllOf(tryBranches(node.allOf), path, findings);
  if (tryBranches(node.not).some(isClean)) {
    findings.addRootText(`${path} must not validate the schema (not)`);
  }
}

const isClean = (findings: Findings) => findings.size === 0;

function tryBranch({ value, path }: Visit, node: SchemaNode, explain: Explain): Findings {
  const findings = new Findings();
  explain({ node, value, path }, findings);
  return findings;
}

/** The first branch with the most passed checks. */
function bestOf(results: readonly Findings[]): Findings | undefined {
  return results.reduce<Findings | undefined>((best, result) => {
    return best === undefined || result.matches > best.matches ? result : best;
  }, undefined);
}

function explainAnyOf(results: readonly Findings[], path: string, findings: Findings): void {
  const chosen = results.find(isClean) ?? bestOf(results);
  if (!results.some(isClean)) findings.addRootText(`${path} must validate at least one schema (anyOf)`);
  if (chosen !== undefined) findings.merge(chosen);
}

function explainOneOf(results: readonly Findings[], path: string, findings: Findings): void {
  const clean = results.filter(isClean);
  if (clean.length !== 1) {
    const count = clean.length === 0 ? 'Found none valid' : `Found ${clean.length} valid alternatives`;
    findings.addRootText(`${path} must validate one and only one schema (oneOf). ${count}`);
  }
  const chosen = clean.length === 0 ? bestOf(results) : clean.length === 1 ? clean[0] : undefined;
  if (chosen !== undefined) findings.merge(chosen);
}

function explainAllOf(results: readonly Findings[], path: string, findings: Findings): void {
  for (const result of results) findings.merge(result);
  if (results.every(isClean)) return;
  const none = results.some(isClean) ? '' : '. None validated';
  findings.addRootText(`${path} must validate all the schemas (allOf)${none}`);
}

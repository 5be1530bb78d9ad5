import { DecodeError } from '../decode-error.ts';

const aliasedMin = 100;
const nodesMin = 1_000;
/** Up to this size nearly all nodes may come from aliases, */
const nodesLow = 400_000;
/** and from this size hardly any. */
const nodesHigh = 4_000_000;

/**
 * Refuses documents that are small as text and huge as values ("billion laughs"): aliases may produce only a share of
 * the decoded nodes, 99 % for small documents, falling to 10 % for large ones; go-yaml's figures.
 */
export class AliasBudget {
  #nodes = 0;
  #aliased = 0;
  #depth = 0;

  enterAlias(): void {
    this.#depth += 1;
  }

  leaveAlias(): void {
    this.#depth -= 1;
  }

  /** Counts one node. @throws {DecodeError} if too many nodes come from aliases. */
  spend(): void {
    this.#nodes += 1;
    if (this.#depth > 0) this.#aliased += 1;
    if (this.#aliased <= aliasedMin || this.#nodes <= nodesMin) return;
    if (this.#aliased / this.#nodes > allowedShare(this.#nodes)) {
      throw new DecodeError('yaml: document contains excessive aliasing');
    }
  }
}

function allowedShare(nodes: number): number {
  if (nodes <= nodesLow) return 0.99;
  if (nodes >= nodesHigh) return 0.1;
  return 0.99 - 0.89 * ((nodes - nodesLow) / (nodesHigh - nodesLow));
}

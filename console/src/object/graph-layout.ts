import type { RelatedEdge, RelatedNode } from './related.ts';

export const nodePx = { width: 156, height: 46, gapX: 36, gapY: 12 } as const;

/** A node, and where its upper left corner is. */
export interface PlacedNode extends RelatedNode {
  readonly x: number;
  readonly y: number;
}

interface GraphLayout {
  /** Column by column, from the left. */
  readonly columns: readonly (readonly PlacedNode[])[];
  readonly lines: readonly { readonly key: string; readonly path: string; readonly isController: boolean }[];
  readonly width: number;
  readonly height: number;
}

/** Owners to the left, dependents to the right, each level in a column; what has the same owner stands together. */
export function layoutOf(nodes: readonly RelatedNode[], edges: readonly RelatedEdge[]): GraphLayout {
  const levels = [...new Set(nodes.map(({ level }) => level))].sort((a, b) => a - b);
  const longest = Math.max(...levels.map((level) => nodes.filter((node) => node.level === level).length));
  const height = longest * (nodePx.height + nodePx.gapY) - nodePx.gapY;
  const placed = new Map<string, PlacedNode>();
  const columns = levels.map((level, column) => {
    const own = nodes.filter((node) => node.level === level);
    const sorted = level > 0 ? byOwner(own, placed) : own;
    const top = (height - (sorted.length * (nodePx.height + nodePx.gapY) - nodePx.gapY)) / 2;
    return sorted.map((node, row) => {
      const x = column * (nodePx.width + nodePx.gapX);
      const found = { ...node, x, y: top + row * (nodePx.height + nodePx.gapY) };
      placed.set(node.uid, found);
      return found;
    });
  });
  const lines = edges.flatMap(({ owner, dependent, isController }) => {
    const [from, to] = [placed.get(owner), placed.get(dependent)];
    if (from === undefined || to === undefined) return [];
    return [{ key: `${owner} ${dependent}`, path: curve(from, to), isController }];
  });
  return { columns, lines, width: levels.length * (nodePx.width + nodePx.gapX) - nodePx.gapX, height };
}

function byOwner(
  nodes: readonly RelatedNode[],
  placed: ReadonlyMap<string, PlacedNode>,
): readonly RelatedNode[] {
  const placeOf = ({ owners }: RelatedNode) =>
    Math.min(...owners.map((uid) => placed.get(uid)?.y ?? Infinity));
  return nodes.toSorted((a, b) => placeOf(a) - placeOf(b) || 0);
}

function curve(from: PlacedNode, to: PlacedNode): string {
  const middle = nodePx.height / 2;
  const [x1, y1] = [from.x + nodePx.width, from.y + middle];
  const [x2, y2] = [to.x, to.y + middle];
  const bend = Math.max(nodePx.gapX / 2, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

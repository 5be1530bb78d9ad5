import type { MappingNode, YamlNode } from './yaml-nodes.ts';

/**
 * The position of the deepest existing part of a path: a key, or the item of a list. Steps are joined for keys that
 * contain dots: `['metadata', 'a', 'b']` finds the key `a.b` of metadata.
 */
export function positionOf(root: YamlNode, path: readonly string[]): number {
  let node: YamlNode = root;
  let position = root.start;
  let at = 0;
  while (at < path.length) {
    const found = child(target(node), path.slice(at));
    if (found === undefined) break;
    position = found.start;
    node = found.node;
    at += found.steps;
  }
  return position;
}

interface Found {
  readonly node: YamlNode;
  readonly start: number;
  readonly steps: number;
}

function target(node: YamlNode): YamlNode {
  return node.kind === 'alias' ? target(node.target) : node;
}

function child(node: YamlNode, path: readonly string[]): Found | undefined {
  if (node.kind === 'mapping') return entry(node, path);
  if (node.kind !== 'sequence') return undefined;
  const item = node.children[Number(path[0])];
  return item && { node: item, start: item.start, steps: 1 };
}

function entry({ children }: MappingNode, path: readonly string[]): Found | undefined {
  for (let steps = 1; steps <= path.length; steps += 1) {
    const name = path.slice(0, steps).join('.');
    for (let index = 0; index + 1 < children.length; index += 2) {
      const key = children[index];
      const node = children[index + 1];
      if (key?.kind === 'scalar' && key.value === name && node !== undefined) {
        return { node, start: key.start, steps };
      }
    }
  }
  return undefined;
}

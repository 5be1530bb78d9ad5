import { useEffect, useMemo, useRef } from 'preact/hooks';
import { objectAddress } from '../app/addresses.ts';
import { href } from '../app/router.ts';
import { layoutOf, nodePx, type PlacedNode } from './graph-layout.ts';
import type { Related } from './related.ts';

/**
 * Owners and dependents as a graph. For screen readers it is a list in which each object says what it belongs to; arrow keys go from
 * box to box.
 */
export function RelatedGraph({ related: { nodes, edges } }: { readonly related: Related }) {
  const box = useRef<HTMLElement>(null);
  const { columns, lines, width, height } = useMemo(() => layoutOf(nodes, edges), [nodes, edges]);
  const names = new Map(nodes.map(({ uid, kind, name }) => [uid, `${kind} ${name}`]));
  const isController = new Set(edges.filter((edge) => edge.isController).map(({ dependent }) => dependent));
  useEffect(() => {
    // Never scrolls the page itself.
    const self = box.current?.querySelector<HTMLElement>('.self');
    if (box.current !== null && self != null)
      box.current.scrollTo({ left: self.offsetLeft - (box.current.clientWidth - nodePx.width) / 2 });
  }, [columns]);
  return (
    <section
      class="graph"
      aria-label="Owners and dependents"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      onKeyDown={(event) => moveBetweenBoxes(event, columns)}
    >
      <div class="graph-plane" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true" focusable="false">
          {lines.map(({ key, path, isController: controls }) => (
            <path key={key} d={path} class={controls ? 'controls' : ''} />
          ))}
        </svg>
        <ul>
          {columns.flat().map((node) => (
            <Box
              key={node.uid}
              node={node}
              owners={node.owners.map((uid) => names.get(uid) ?? 'something that is not shown')}
              isControlled={isController.has(node.uid)}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

interface BoxProps {
  readonly node: PlacedNode;
  readonly owners: readonly string[];
  readonly isControlled: boolean;
}

function Box({ node: { uid, kind, name, namespace, ref, level, x, y }, owners, isControlled }: BoxProps) {
  const content = (
    <>
      <span class="muted">{kind}</span> <strong dir="auto">{name}</strong>
    </>
  );
  const words = owners.length === 0 ? '' : `, belongs to ${owners.join(' and ')}`;
  return (
    <li
      class={`graph-box${level === 0 ? ' self' : ''}`}
      style={{ left: `${x}px`, top: `${y}px`, width: `${nodePx.width}px`, height: `${nodePx.height}px` }}
    >
      {ref === undefined ? (
        <span class="graph-name" data-node={uid} title={`${kind} ${name}`}>
          {content}
        </span>
      ) : (
        <a
          class="graph-name"
          data-node={uid}
          href={href(objectAddress(ref, namespace, name))}
          title={`${kind} ${name}`}
        >
          {content}
        </a>
      )}
      <span class="visually-hidden">
        {level === 0 ? ', this object' : ''}
        {words}
        {isControlled ? ', its controller' : ''}
      </span>
    </li>
  );
}

const steps: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function moveBetweenBoxes(event: KeyboardEvent, columns: readonly (readonly PlacedNode[])[]): void {
  const step = steps[event.key];
  const { currentTarget, target } = event;
  if (step === undefined || !(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement))
    return;
  const links = columns.map((column) => column.filter(({ ref }) => ref !== undefined));
  const linked = links.filter((column) => column.length > 0);
  const at = linked.findIndex((column) => column.some(({ uid }) => uid === target.dataset['node']));
  const row = linked[at]?.findIndex(({ uid }) => uid === target.dataset['node']) ?? 0;
  const column = linked[at === -1 ? 0 : at + step[0]];
  const next = column?.[Math.min(row + step[1], column.length - 1)];
  if (next === undefined) return;
  event.preventDefault();
  const boxes = currentTarget.querySelectorAll<HTMLElement>('a.graph-name');
  [...boxes].find(({ dataset }) => dataset['node'] === next.uid)?.focus();
}

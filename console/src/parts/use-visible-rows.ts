import { useEffect, useState } from 'preact/hooks';

/** The visible rows of a scroll container with rows of equal height. */
interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Tracks the scroll position of a container with rows of `rowPx` pixels. */
export function useVisibleRows(box: { readonly current: HTMLElement | null }, rowPx: number): RowRange {
  const [range, setRange] = useState({ first: 0, last: 40 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const update = () => {
      const first = Math.floor(element.scrollTop / rowPx);
      const last = first + Math.ceil(element.clientHeight / rowPx);
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    element.addEventListener('scroll', update, { passive: true });
    const observer = new ResizeObserver(update);
    observer.observe(element);
    update();
    return () => {
      element.removeEventListener('scroll', update);
      observer.disconnect();
    };
  }, [box, rowPx]);
  return range;
}

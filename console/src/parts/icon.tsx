/** Paths of 16 by 16, drawn with lines. */
const drawings = {
  kinds: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h11',
  play: 'M4 2.5v11l9-5.5z',
  events: 'M2 8h3l2-5 3 10 2-5h2',
  server: 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.75h.1M5 11.25h.1',
  sun: 'M8 5.2A2.8 2.8 0 1 0 8 10.8 2.8 2.8 0 0 0 8 5.2zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1z',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4 14 14',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  menu: 'M2 4h12M2 8h12M2 12h12',
  plus: 'M8 2.5v11M2.5 8h11',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  right: 'M6 3.5 10.5 8 6 12.5',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  check: 'M3 8.5l3.2 3L13 4.5',
  alert: 'M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.6v.2',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
} as const;

export type IconName = keyof typeof drawings;

/** A picture beside words, which screen readers skip. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  );
}

import type { ComponentChildren } from 'preact';

interface TableBoxProps {
  /** The name of the table. */
  readonly label: string;
  /** `thead` and `tbody`. */
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways on narrow screens, by keyboard as well. */
export function TableBox({ label, children }: TableBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table-scroll" aria-label={label} tabIndex={0}>
      <table class="table" aria-label={label}>
        {children}
      </table>
    </section>
  );
}

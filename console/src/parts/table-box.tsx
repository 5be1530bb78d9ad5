import type { ComponentChildren } from 'preact';

/** The heading of a column of text, or of another one. */
type Heading = string | { readonly name: string; readonly class?: string; readonly isHidden?: boolean };

interface TableBoxProps {
  /** The name of the table. */
  readonly label: string;
  readonly headings: readonly Heading[];
  /** A further class of the table. */
  readonly class?: string;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways on narrow screens, by keyboard as well. */
export function TableBox({ label, headings, class: className, children }: TableBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table-scroll" aria-label={label} tabIndex={0}>
      <table class={className === undefined ? 'table' : `table ${className}`} aria-label={label}>
        <thead>
          <tr>{headings.map(headingCell)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** The heading of a column of numbers, which are aligned to the right. */
export const numbers = (name: string): Heading => ({ name, class: 'number' });

function headingCell(heading: Heading, index: number) {
  const {
    name,
    class: className,
    isHidden = false,
  } = typeof heading === 'string' ? { name: heading } : heading;
  return (
    <th key={`${index} ${name}`} scope="col" class={className}>
      {isHidden ? <span class="muted">{name}</span> : name}
    </th>
  );
}

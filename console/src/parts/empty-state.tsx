import type { ComponentChildren } from 'preact';

/** In place of a list that has nothing: says what to do next. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

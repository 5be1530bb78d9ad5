import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** Called while the tab is shown. */
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly label: string;
  /** The tab that is shown first; else the first one. */
  readonly start?: string;
  readonly onShow?: (id: string) => void;
}

/** Panels one behind the other. Source: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export function Tabs({ tabs, label, start = '', onShow }: TabsProps) {
  const [chosen, setChosen] = useState(start);
  const shown = tabs.find((tab) => tab.id === chosen)?.id ?? tabs[0]?.id ?? '';
  const setShown = (tab: string) => {
    setChosen(tab);
    onShow?.(tab);
  };
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex((tab) => tab.id === shown);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    setShown(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  const current = tabs.find((tab) => tab.id === shown);
  return (
    <section class="tabs" aria-label={label}>
      <div ref={list} role="tablist" aria-label={label} class="tab-list" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === shown ? 0 : -1}
            onClick={() => setShown(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        class="tab-panel"
        aria-labelledby={`${id}-${shown}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        {current?.content()}
      </div>
    </section>
  );
}

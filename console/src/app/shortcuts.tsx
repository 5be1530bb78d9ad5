import { useEffect, useRef } from 'preact/hooks';
import { pages } from './pages.ts';
import { goTo, href } from './router.ts';

/** Keys that work everywhere, and the list of them. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const keys = new Keys(() => dialog.current?.showModal());
    const onKey = (event: KeyboardEvent) => keys.press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const linked = pages.flatMap(({ link }) => link ?? []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keys</h2>
      <dl class="keys">
        <Key keys="?" does="This list" />
        <Key keys="/" does="Search, or filter, on this page" />
        {linked.map(({ label, key }) => (
          <Key key={key} keys={`g ${key}`} does={label} />
        ))}
        <Key keys="↑ ↓" does="The row above or below, in a table" />
        <Key keys="Enter" does="Open the row" />
        <Key keys="Ctrl S" does="Show the difference before it is sent, in the editor" />
        <Key keys="Esc" does="Close, or leave the editor so that Tab goes on" />
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}

function Key({ keys, does }: { readonly keys: string; readonly does: string }) {
  return (
    <>
      <dt>
        {keys.split(' ').map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}

/** After `g` the next key names a page. */
class Keys {
  readonly #showList: () => void;
  #afterG = false;

  constructor(showList: () => void) {
    this.#showList = showList;
  }

  press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const page = this.#afterG ? pages.find(({ link }) => link?.key === event.key) : undefined;
    this.#afterG = event.key === 'g' && !isInTree(event);
    if (page !== undefined) goTo(href(page.pattern));
    else if (event.key === '?') this.#showList();
    else if (event.key === '/') focusSearch();
    else return;
    event.preventDefault();
  }
}

/** Letters find a field in a tree. */
function isInTree({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role="tree"]') !== null;
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-shortcut="search"]')?.focus();
}

/** Where keys are text. Of an element in a shadow tree, the composed path tells. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('dialog') !== null
  );
}

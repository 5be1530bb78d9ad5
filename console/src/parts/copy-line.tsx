import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A command to copy. */
export function CopyLine({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    } catch {
      // Not allowed here: the text can still be selected.
    }
  };
  return (
    <div class="copy-line">
      <code>{text}</code>
      <button type="button" class="button small" onClick={copy} aria-label={copied ? 'Copied' : label}>
        <Icon name={copied ? 'check' : 'copy'} />
      </button>
    </div>
  );
}

import { messageOf } from '../api/api-error.ts';
import type { Liveness } from '../api/follow.ts';

/** Says whether what is shown follows the server. */
export function LiveMark({ liveness }: { readonly liveness: Liveness }) {
  const { label, hint } = wordsFor(liveness);
  return (
    <span class={`live-mark ${liveness.state}`} role="status" title={hint}>
      <span class="dot" aria-hidden="true" />
      {label}
    </span>
  );
}

function wordsFor(liveness: Liveness): { readonly label: string; readonly hint: string } {
  switch (liveness.state) {
    case 'loading':
      return { label: 'Loading', hint: 'The first answer is on its way' };
    case 'live':
      return { label: 'Live', hint: 'Changes are shown as they happen' };
    case 'reconnecting':
      return { label: 'Reconnecting', hint: `What you see may be old: ${messageOf(liveness.error)}` };
    case 'signed-out':
      return { label: 'Signed out', hint: 'What you see may be old: sign in again' };
    case 'refused':
      return { label: 'Not live', hint: messageOf(liveness.error) };
  }
}

import { useId } from 'preact/hooks';
import type { Estimate } from './playground-result.ts';

/** A cost beside what it may be. */
export function CostBar({ label, cost, limit }: Estimate & { readonly label: string }) {
  const id = useId();
  const share = Number(cost) / Number(limit);
  return (
    <div class={`cost-bar${share > 1 ? ' over' : ''}`}>
      <span id={id}>{label}</span>
      <meter
        aria-labelledby={id}
        min={0}
        max={1}
        low={0.5}
        high={0.9}
        optimum={0}
        value={Math.min(share, 1)}
      />
      <span>
        {grouped(cost)} of {grouped(limit)}
        {share > 1 && <strong> {share >= 100 ? 'more than 100' : share.toFixed(1)} times too much</strong>}
      </span>
    </div>
  );
}

/** `10,000,000`, of any number of digits. */
function grouped(number: string | number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

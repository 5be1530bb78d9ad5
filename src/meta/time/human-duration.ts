/**
 * A duration as `kubectl get` shows ages: at most two units; the smaller one is dropped for longer durations.
 * `45s`, `3m20s`, `12m`, `5h10m`, `3d4h`, `2y45d`. Source: k8s.io/apimachinery/pkg/util/duration HumanDuration.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return twoUnits(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

function twoUnits(coarse: number, coarseUnit: string, fine: number, fineUnit: string): string {
  return fine === 0 ? `${coarse}${coarseUnit}` : `${coarse}${coarseUnit}${fine}${fineUnit}`;
}

import type { Option } from 'commander';

/**
 * Moves connection flags behind the command, because kubectl accepts them anywhere: `--kubeconfig F enable ...`
 * becomes `enable ... --kubeconfig F`.
 */
export function withConnectionLast(args: readonly string[], options: readonly Option[]): string[] {
  const first: string[] = [];
  const last: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const option = options.find(({ long, short }) => [long, short].includes(arg.split('=')[0]));
    const target = option === undefined ? first : last;
    target.push(arg);
    const value = args[index + 1];
    if (option === undefined || arg.includes('=') || value === undefined || option.isBoolean()) continue;
    if (!option.required) continue;
    last.push(value);
    index += 1;
  }
  return [...first, ...last];
}

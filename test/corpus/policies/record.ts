import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { remote } from '../../differential/servers.ts';
import { PolicyJudge, policyGroups } from './decide.ts';

/** A kube-apiserver looks at its policies once a second. */
const settleMs = 2_500;

/** `CORPUS URL CERT KEY FILE`: writes what a kube-apiserver makes of the policies of a corpus. */
export async function run([
  corpus = '',
  url = '',
  cert = '',
  key = '',
  file = '',
]: readonly string[]): Promise<void> {
  const judge = new PolicyJudge(remote(url, cert, key), () => sleep(settleMs));
  const lines: string[] = [];
  for await (const decision of judge.decisions(await policyGroups(corpus))) {
    lines.push(`${JSON.stringify(decision)}\n`);
    writeFileSync(file, lines.join(''));
  }
  console.log(`${lines.length} policies recorded`);
}

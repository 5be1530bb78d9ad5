import { readIssuedUsers } from '../../auth/index.ts';
import { type DataFlags, usersFile } from './data-files.ts';

/** `ilk user list`: a table of all users with a certificate that has not expired. */
export async function listUsers(flags: DataFlags): Promise<void> {
  const users = await readIssuedUsers(usersFile(flags));
  const rows = users
    .filter(({ expires }) => Date.parse(expires) > Date.now())
    .map(({ name, groups, expires, removed }) => [
      name,
      groups.join(',') || '<none>',
      expires.slice(0, 10),
      removed === undefined ? 'active' : 'removed',
    ]);
  process.stdout.write(tableText([['NAME', 'GROUPS', 'EXPIRES', 'STATUS'], ...rows]));
}

function tableText(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

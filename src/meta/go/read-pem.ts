const fence = /^-----(BEGIN|END) (.*)-----$/;

/** A PEM block. */
interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

/**
 * The blocks of a text, and whether text follows the last one. Works line by line, because the text may be hostile.
 * Source: Go, encoding/pem.
 */
export function readPem(text: string): { readonly blocks: readonly PemBlock[]; readonly hasRest: boolean } {
  const blocks: PemBlock[] = [];
  let open: { readonly type: string; readonly lines: string[] } | undefined;
  let hasRest = false;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [, edge, type = ''] = fence.exec(line.trimEnd()) ?? [];
    hasRest = true;
    if (edge === 'BEGIN') open = { type, lines: [] };
    else if (edge === 'END' && open?.type === type) {
      blocks.push(pemBlock(open.type, open.lines));
      open = undefined;
      hasRest = false;
    } else open?.lines.push(line);
  }
  return { blocks, hasRest };
}

function pemBlock(type: string, lines: readonly string[]): PemBlock {
  const headers = lines.filter((line) => line.includes(':'));
  const body = lines.filter((line) => !line.includes(':'));
  return { type, hasHeaders: headers.length > 0, der: Buffer.from(body.join(''), 'base64') };
}

// Whether pages of other projects still say what is claimed of them.

const timeoutMs = 20_000;
const bytesMax = 8 * 1024 * 1024;

/**
 * @param {string} url of a page, with the anchor that it must have
 * @param {readonly string[]} words what its text must contain, whatever the case
 * @param {typeof fetch} fetchPage
 * @returns {Promise<{ state: 'ok' | 'wrong' | 'unreachable', why: string }>}
 */
export async function checkSource(url, words, fetchPage = fetch) {
  const [address = '', anchor] = url.split('#');
  const page = await load(address, fetchPage);
  if (page.text === undefined) return { state: page.state, why: page.why };
  if (anchor !== undefined && !anchorsOf(page.text).has(anchor))
    return { state: 'wrong', why: `no anchor #${anchor}` };
  const text = wordsOf(page.text);
  const missing = words.filter((one) => !text.includes(one.toLowerCase()));
  return missing.length === 0
    ? { state: 'ok', why: '' }
    : { state: 'wrong', why: `does not contain ${missing.map((one) => JSON.stringify(one)).join(', ')}` };
}

async function load(address, fetchPage) {
  let response;
  try {
    response = await fetchPage(address, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    return { state: 'unreachable', why: String(error?.cause?.code ?? error?.message) };
  }
  // A server that is busy or broken says nothing about the page.
  if (response.status === 429 || response.status >= 500)
    return { state: 'unreachable', why: `status ${response.status}` };
  if (!response.ok) return { state: 'wrong', why: `status ${response.status}` };
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length > bytesMax) return { state: 'wrong', why: `more than ${bytesMax} bytes` };
  return { state: 'ok', text: body.toString('utf8') };
}

/** GitHub puts `user-content-` before the anchors of a README. */
function anchorsOf(html) {
  const ids = [...html.matchAll(/\s(?:id|name)=["']?([^"'\s>]+)/g)].map(([, id = '']) => id);
  return new Set(ids.map((id) => id.replace(/^user-content-/, '').toLowerCase()));
}

/** Text without tags and with single spaces, in lower case. */
function wordsOf(html) {
  const text = html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#39|apos|rsquo);/g, "'")
    .replaceAll(/&(?:quot|#34|ldquo|rdquo);/g, '"')
    .replaceAll('&amp;', '&');
  return text.replaceAll(/\s+/g, ' ').toLowerCase();
}

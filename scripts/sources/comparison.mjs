// The table in docs/index.md that compares Ilk with other projects, read as rows of claims and links.

/** The pages of other projects that may be sources: their repositories and their documentation. */
const knownSource = new RegExp(
  '^https://(?:github\\.com/[\\w.-]+/[\\w.-]+(?:/blob/main/[\\w./-]+)?' +
    '|(?:book\\.kubebuilder\\.io|docs\\.k3s\\.io|docs\\.kcp\\.io|kind\\.sigs\\.k8s\\.io|kwok\\.sigs\\.k8s\\.io)/[\\w./-]+)' +
    '(?:#[a-z0-9-]+)?$',
);

/** A page of this documentation. */
const ownPage = /^[\w./-]+\.md(?:#[a-z0-9-]+)?$/;

/**
 * @param {string} page the Markdown of the page
 * @returns {{ project: string, cells: string[] }[]} the rows; the last of the three cells is about Ilk
 */
export function readComparison(page) {
  const section = page.split(/^## /m).find((text) => text.startsWith('Compared with others\n')) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [project = '', ...cells] = line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
    return { project, cells };
  });
}

/**
 * @param {string} text Markdown
 * @returns {string[]} what its links lead to
 */
export function linksOf(text) {
  return [...text.matchAll(/\]\(([^)\s]*)\)/g)].map(([, link = '']) => link);
}

/**
 * Claims about another project end with a semicolon or a full stop, and have a source each. The cell about Ilk has at least one.
 *
 * @param {{ project: string, cells: string[] }} row
 * @returns {string[]} what is wrong with it
 */
export function checkRow({ project, cells }) {
  if (cells.length !== 3) return [`${project}: ${cells.length} cells instead of 3`];
  const [what = '', better = '', own = ''] = cells;
  const claims = [...claimsOf(what), ...claimsOf(better), own];
  return [
    ...cells.flatMap((cell, at) => (cell === '' ? [`${project}: cell ${at + 1} is empty`] : [])),
    ...claims.flatMap((claim) =>
      claim === '' || linksOf(claim).length > 0 ? [] : [`${project}: "${claim}" has no source`],
    ),
    ...linksOf(cells.join(' ')).flatMap((link) =>
      knownSource.test(link) || ownPage.test(link) ? [] : [`${project}: ${link} is not of a known form`],
    ),
  ];
}

/** Punctuation within the text of a link does not end a claim. */
function claimsOf(cell) {
  return cell.split(/[;.] (?![^[]*\])/);
}

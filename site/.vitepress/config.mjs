import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { outline } from '../outline.mjs';
import { pageOf, pagesFolder } from '../stage/paths.mjs';

/** What the entry of a page in the sidebar says: its first heading, unless the outline has a text of its own. */
function entryOf(item) {
  const [path, text] = typeof item === 'string' ? [item] : item;
  const page = pageOf(`${path}.md`);
  const [, heading = page] = /^# (.*)$/m.exec(readFileSync(pagesFolder + page, 'utf8')) ?? [];
  return { text: text ?? heading.replaceAll('`', ''), link: `/${page.replace(/(index)?\.md$/, '')}` };
}

const sidebar = outline.map(({ text, items }) => ({ text, items: items.map(entryOf), collapsed: false }));

/** Nothing is loaded from elsewhere: fonts and search are of the site itself. */
export default defineConfig({
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.cache',
  // The search index is one chunk, loaded on the first search.
  vite: { build: { chunkSizeWarningLimit: 3_000 } },
  base: process.env.ILK_SITE_BASE ?? '/',
  lang: 'en',
  title: 'Ilk',
  description:
    'An API server for custom resources: the full Kubernetes API for your own kinds, without a cluster',
  head: [
    [
      'link',
      { rel: 'icon', type: 'image/svg+xml', href: `${process.env.ILK_SITE_BASE ?? '/'}images/mark.svg` },
    ],
  ],
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    // Anchors as hosts of repositories make them, so that links work in both.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    toc: { level: [2, 3] },
  },
  themeConfig: {
    siteTitle: 'Ilk',
    logo: { src: '/images/mark.svg', alt: '' },
    nav: [
      { text: 'Test', link: '/tasks/test-in-go' },
      { text: 'Check', link: '/tasks/validate-in-ci' },
      { text: 'Run', link: '/deploy' },
      { text: 'Errors', link: '/troubleshooting' },
      { text: 'Reference', link: '/reference/cli' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
});

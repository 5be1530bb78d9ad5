import type { ComponentType } from 'preact';
import { KindsPage } from '../kinds/kinds-page.tsx';
import type { IconName } from '../parts/icon.tsx';

/** The path parameters of a page. */
export interface PageProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** A page of the console. */
export interface Page {
  /** `/objects/:group/:version/:plural` */
  readonly pattern: string;
  /** Its place in the side navigation; the key opens it after `g`. */
  readonly link?: { readonly label: string; readonly icon: IconName; readonly key: string };
  /** Loaded on first use; the first page is part of the main bundle. */
  readonly load: () => ComponentType<PageProps> | Promise<ComponentType<PageProps>>;
}

/** All pages; a new one is a line here. */
export const pages: readonly Page[] = [
  { pattern: '/', link: { label: 'Kinds', icon: 'kinds', key: 'k' }, load: () => KindsPage },
  {
    pattern: '/objects/:group/:version/:plural',
    load: () => import('../objects/objects-page.tsx').then(({ ObjectsPage }) => ObjectsPage),
  },
  {
    pattern: '/object/:group/:version/:plural/:namespace/:name',
    load: () => import('../object/object-page.tsx').then(({ ObjectPage }) => ObjectPage),
  },
  {
    pattern: '/definition/:group/:plural',
    load: () => import('../definition/definition-page.tsx').then(({ DefinitionPage }) => DefinitionPage),
  },
  {
    pattern: '/changes',
    link: { label: 'Changes', icon: 'events', key: 'c' },
    load: () => import('../events/events-page.tsx').then(({ EventsPage }) => EventsPage),
  },
  {
    pattern: '/playground',
    link: { label: 'Playground', icon: 'play', key: 'p' },
    load: () => import('../playground/playground-page.tsx').then(({ PlaygroundPage }) => PlaygroundPage),
  },
  {
    pattern: '/server',
    link: { label: 'Server', icon: 'server', key: 's' },
    load: () => import('../server/server-page.tsx').then(({ ServerPage }) => ServerPage),
  },
  { pattern: '/new', load: () => import('../object/new-page.tsx').then(({ NewPage }) => NewPage) },
];

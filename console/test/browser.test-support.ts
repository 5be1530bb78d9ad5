import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const places = [
  process.env['ILK_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Debian's browser, or the one that `ILK_CHROMIUM` names. */
export function startBrowser(): Promise<Browser> {
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined)
    throw new Error('no Chromium: apt-get install chromium, or set ILK_CHROMIUM');
  // In a container there is neither a sandbox nor much shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A person with a browser of their own: a page, and what went wrong in it. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and what the content security policy has blocked. */
  readonly trouble: readonly string[];
}

/** Runs in the page. */
const tellViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  tellTrouble('blocked: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`;

export interface VisitorOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Opens a page with cookies of its own. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  // A busy machine may stand still for seconds.
  page.setDefaultTimeout(60_000);
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  await page.exposeFunction('tellTrouble', (text: string) => trouble.push(text));
  await page.addInitScript(tellViolations);
  return { page, context, trouble };
}

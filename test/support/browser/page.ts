/** The page as a person uses it: what stands on it by role and name, never by its markup. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

export interface PersonOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

export class Person {
  /** Requests that left this machine, and errors of the page: there must be none. */
  readonly faults: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  /** A browser of their own: nobody shares its cookies. */
  static async open(browser: Browser, url: string, options: PersonOptions = {}): Promise<Person> {
    const { width = 1280, height = 800, colorScheme = 'light' } = options;
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const person = new Person(context, await context.newPage());
    person.watch(person.page, url);
    await person.page.goto(url);
    await person.box.waitFor();
    return person;
  }

  /** The same person in a second tab, at the same conversation. */
  secondTab(): Promise<Person> {
    return this.newTab(this.page.url());
  }

  async newTab(url: string): Promise<Person> {
    const tab = new Person(this.context, await this.context.newPage());
    tab.watch(tab.page, url);
    await tab.page.goto(url);
    await tab.box.waitFor();
    return tab;
  }

  get box(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  async asks(text: string): Promise<void> {
    await this.box.fill(text);
    await this.presses('Send');
  }

  async presses(name: string, timeout = 30_000): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click({ timeout });
  }

  /** Articles of a kind, in order. */
  articles(kind: 'user' | 'answer' | 'trace' | 'question' | 'notice', state?: string): Locator {
    const inState = state === undefined ? '' : `[data-state="${state}"]`;
    return this.page.locator(`article[data-kind="${kind}"]${inState}:visible`);
  }

  /** The kinds of all articles that can be seen, from top to bottom. */
  async kinds(): Promise<string[]> {
    const articles = await this.page.locator('article:visible').all();
    return Promise.all(articles.map(async (article) => (await article.getAttribute('data-kind')) ?? ''));
  }

  /** Resolves when an article of this kind and state holds this text. */
  async sees(
    kind: 'user' | 'answer' | 'trace' | 'question' | 'notice',
    state: string,
    text: string | RegExp,
  ): Promise<Locator> {
    const found = this.articles(kind, state).filter({ hasText: text }).last();
    await found.waitFor({ timeout: 30_000 });
    return found;
  }

  private watch(page: Page, url: string): void {
    const { origin } = new URL(url);
    page.on('request', (request) => {
      const to = request.url();
      if (!to.startsWith(origin) && !to.startsWith('data:') && !to.startsWith('blob:'))
        this.faults.push(`asked for ${to}`);
    });
    page.on('pageerror', (error) => this.faults.push(`failed: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.faults.push(`opened a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.faults.push(`wrote: ${message.text()}`);
    });
  }
}

/** Pages of the web, for the tools. What fetches them is loaded with the first one: most workers never need it. */
import type { ReadPage } from '../ports/pages.ts';
import type { App } from './compose.ts';

/** Who reads a page says so to its server. */
const headers = { 'user-agent': 'Docent/1 (a tutoring bot; reads pages that learners ask about)' };

export function pageReading({ clock, documents }: Pick<App, 'clock' | 'documents'>): ReadPage {
  let loaded: Promise<ReadPage> | undefined;
  const load = async (): Promise<ReadPage> => {
    const [{ publicFetch }, { pageReader }] = await Promise.all([
      import('../pages/fetch-public.ts'),
      import('../pages/read-page.ts'),
    ]);
    return pageReader({ fetchPublic: publicFetch({ clock, headers }), documents });
  };
  return async (url, signal) => {
    loaded ??= load();
    return (await loaded)(url, signal);
  };
}

import { config } from '#contract/app/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { currentLanguage } from '../core/i18n.ts';
import type { PagePath, PageSearch } from '../core/page-search.ts';
import { keyOf } from '../core/queries.ts';
import { queryClient } from '../core/query-client.ts';
import { readAhead } from '../core/read-ahead.ts';
import { pageReads } from './page-reads.ts';

/** Starts the reads of a page when an address leads to it. */
export function startPageReads<P extends PagePath>(path: P, search: PageSearch<P>): void {
  const known = queryClient.getQueryData<OutputOf<typeof config>>(keyOf(config, {}));
  const at = { language: currentLanguage(), center: known?.region.center ?? null };
  for (const each of pageReads[path](search, at)) readAhead(each);
}

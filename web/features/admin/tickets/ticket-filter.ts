import type { PageSearch } from '../../../core/page-search.ts';

/** The part of the list's filter that is in the address; what is missing does not filter. */
export type TicketFilter = Pick<PageSearch<'/pages/admin/admin'>, 'kind' | 'state' | 'of'>;

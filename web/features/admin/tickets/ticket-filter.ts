import type { PageSearch } from '../../../core/page-search.ts';

/** What stands of the list in the address; what is missing is not filtered by. */
export type TicketFilter = Pick<PageSearch<'/pages/admin/admin'>, 'kind' | 'state' | 'of'>;

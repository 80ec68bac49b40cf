import type { EditContext } from '../edit-order.ts';
import { changeRecurring } from './change-recurring.ts';
import { createRecurring } from './create-recurring.ts';
import { endRecurring } from './end-recurring.ts';
import { publishDue } from './publish-due.ts';
import { listRecurring, recurringDetail } from './read-recurring.ts';
import { skipDay } from './skip-day.ts';

/**
 * Rides and requests that repeat every week. Each day is an ordinary order, published two weeks ahead by the
 * scheduler (decision 0019); the row of recurring rides holds the common fields and the state of each day.
 */
export const createRecurringRides = (context: EditContext) => ({
  create: createRecurring.bind(null, context),
  list: listRecurring.bind(null, context),
  detail: recurringDetail.bind(null, context),
  skip: skipDay.bind(null, context),
  update: changeRecurring.bind(null, context),
  end: endRecurring.bind(null, context),
  publishDue: publishDue.bind(null, context),
});

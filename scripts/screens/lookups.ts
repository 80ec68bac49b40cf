import type { z } from 'zod';
import { roomList } from '#contract/chat/endpoints.ts';
import { listContacts, listTags } from '#contract/contacts/endpoints.ts';
import type { Endpoint, OutputOf } from '#contract/define.ts';
import { listEvents } from '#contract/events/endpoints.ts';
import { pendingReviews } from '#contract/reviews/endpoints.ts';
import { listOrders, orderDetail } from '#contract/rides/endpoints.ts';
import type { Stage } from '#contract/rides/moves.ts';
import { listSeries } from '#contract/rides/recurring.ts';
import type { Booking, OrderSummary } from '#contract/rides/views.ts';
import { listVehicles } from '#contract/vehicles/endpoints.ts';
import type { Api } from './visit.ts';

async function read<E extends Endpoint<z.ZodObject, z.ZodType>>(
  api: Api,
  endpoint: E,
  query = '',
): Promise<OutputOf<E>> {
  return endpoint.output.parse(await api(`${endpoint.path}${query}`)) as OutputOf<E>;
}

/** The first of a list, or an error that says what the demo community lacks. */
function first<T>(items: readonly T[], what: string): T {
  const [found] = items;
  if (found === undefined) throw new Error(`The demo community has no ${what}.`);
  return found;
}

/** The visitor's first order of a role and stage that `isWanted`. */
export async function orderOf(
  api: Api,
  role: 'driver' | 'passenger',
  stage: Stage,
  isWanted: (order: OrderSummary) => boolean = () => true,
): Promise<OrderSummary> {
  const { orders } = await read(api, listOrders, `?role=${role}&stage=${encodeURIComponent(stage)}`);
  return first(orders.filter(isWanted), `${role}'s order in ${stage}`);
}

/** The first booking of an order that `isWanted`. */
export async function bookingOf(
  api: Api,
  orderId: string,
  isWanted: (booking: Booking) => boolean = () => true,
): Promise<Booking> {
  const { order } = await read(api, orderDetail, `?id=${orderId}`);
  return first(order.bookings.filter(isWanted), `such booking of ${order.orderNumber}`);
}

export const firstRoom = async (api: Api) => first((await read(api, roomList)).rooms, 'chat').roomid;
export const firstEvent = async (api: Api) => first((await read(api, listEvents)).events, 'event').id;
export const firstContact = async (api: Api) =>
  first((await read(api, listContacts)).contacts, 'contact').person.id;
export const firstTag = async (api: Api) => first((await read(api, listTags)).tags, 'tag').id;
export const firstSeries = async (api: Api) => first((await read(api, listSeries)).series, 'weekly ride').id;
export const firstVehicle = async (api: Api) => first((await read(api, listVehicles)).vehicles, 'vehicle').id;
export const dueReview = async (api: Api) => first((await read(api, pendingReviews)).pending, 'review due');

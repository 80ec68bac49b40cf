import type { OutputOf } from '#contract/define.ts';
import type { createPair } from '#contract/rides/recurring.ts';
import type { Order } from '#contract/rides/views.ts';
import type { App } from '../../app-type.ts';
import { editOrder } from './edit-order.ts';
import type { RequestInput, RideInput } from './order-input.ts';
import { requestViews, rideViews, viewOrder } from './order-views.ts';
import { publishOrder, publishPair, publishToEvent, type WrittenOrder } from './publish-order.ts';

type Input = RideInput | RequestInput;

/**
 * Publishes an order and returns its view. Refusals name the field under `order.`; nothing is stored then.
 */
export const createOrder = async (app: App, personId: string, order: Input): Promise<Order> =>
  viewOf(app, await publishOrder(app, personId, order), personId);

/** Publishes outbound and return order, both or neither, and returns their views. */
export async function createOrderPair(
  app: App,
  personId: string,
  input: { order: Input; back: Input },
): Promise<OutputOf<typeof createPair>> {
  const { order, back } = await publishPair(app, personId, input.order, input.back);
  return { order: await viewOf(app, order, personId), back: await viewOf(app, back, personId) };
}

/**
 * Publishes a person's orders to and from an event, all or none, and returns their views. The caller has
 * checked that the person may see the event. Refusals name the field under `orders.0.`, `orders.1.`
 */
export async function createOrdersToEvent(
  app: App,
  personId: string,
  orders: readonly Input[],
): Promise<Order[]> {
  const published = await publishToEvent(app, personId, orders);
  return Promise.all(published.map((each) => viewOf(app, each, personId)));
}

/**
 * Edits the person's order and returns its view. Refusals name the field under `order.`; nothing changes
 * then.
 */
export async function updateOrder(
  app: App,
  id: string,
  personId: string,
  order: Input,
): Promise<{ order: Order }> {
  await editOrder(app, personId, id, order);
  return { order: await viewOrder(app, id, personId) };
}

const viewOf = async (app: App, published: WrittenOrder, personId: string): Promise<Order> =>
  'ride' in published
    ? (await rideViews(app, [published.ride], personId))[0]!
    : (await requestViews(app, [published.request], personId))[0]!;

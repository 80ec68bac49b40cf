import type { OutputOf } from '#contract/define.ts';
import type { createPair } from '#contract/rides/recurring.ts';
import type { Order } from '#contract/rides/views.ts';
import { editOrder, type EditContext } from './edit-order.ts';
import type { RequestInput, RideInput } from './order-input.ts';
import type { OrderQueries } from './order-queries.ts';
import { publishOrder, publishPair, publishToEvent, type WrittenOrder } from './publish-order.ts';

type Input = RideInput | RequestInput;

/** Publishing and editing, each returning the view of the order. */
export function createOrderCommands(
  context: EditContext,
  { view, rideViews, requestViews }: Pick<OrderQueries, 'view' | 'rideViews' | 'requestViews'>,
) {
  const viewOf = async (published: WrittenOrder, personId: string): Promise<Order> =>
    'ride' in published
      ? (await rideViews([published.ride], personId))[0]!
      : (await requestViews([published.request], personId))[0]!;

  return {
    /**
     * Publishes an order and returns its view. Refusals name the field under `order.`; nothing is stored
     * then.
     */
    create: async (personId: string, order: Input): Promise<Order> =>
      viewOf(await publishOrder(context, personId, order), personId),

    /** Publishes outbound and return order, both or neither, and returns their views. */
    async createPair(
      personId: string,
      input: { order: Input; back: Input },
    ): Promise<OutputOf<typeof createPair>> {
      const { order, back } = await publishPair(context, personId, input.order, input.back);
      return { order: await viewOf(order, personId), back: await viewOf(back, personId) };
    },

    /**
     * Publishes a person's orders to and from an event, all or none, and returns their views. The caller has
     * checked that the person may see the event. Refusals name the field under `orders.0.`, `orders.1.`
     */
    async createToEvent(personId: string, orders: readonly Input[]): Promise<Order[]> {
      const published = await publishToEvent(context, personId, orders);
      return Promise.all(published.map((each) => viewOf(each, personId)));
    },

    /**
     * Edits the person's order and returns its view. Refusals name the field under `order.`; nothing changes
     * then.
     */
    async update(id: string, personId: string, order: Input): Promise<{ order: Order }> {
      await editOrder(context, personId, id, order);
      return { order: await view(id, personId) };
    },
  };
}

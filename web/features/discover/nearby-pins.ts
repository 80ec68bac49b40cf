import type { OutputOf } from '#contract/define.ts';
import type { discover } from '#contract/rides/endpoints.ts';
import type { MapPin } from '../../map/shapes.ts';

export type NearbyOrder = OutputOf<typeof discover>['orders'][number];

/** Whom an order is about: the driver of a ride, the passenger of a request. */
export const personOf = (order: NearbyOrder) => (order.role === 'driver' ? order.driver : order.passenger);

/** Where each ride (a car) and each request (a person) starts. */
export const pinsOf = (orders: readonly NearbyOrder[]): MapPin[] =>
  orders.map((order) => {
    const person = personOf(order);
    return {
      id: order.id,
      lon: order.from.lon,
      lat: order.from.lat,
      kind: order.role === 'driver' ? 'car' : 'person',
      letter: person.name.trim().charAt(0).toUpperCase() || '•',
      label: `${person.name}: ${order.from.name} → ${order.to.name}`,
    };
  });

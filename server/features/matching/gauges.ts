import { secondMs } from '../../platform/clock.ts';
import type { GaugeSource } from '../../platform/observability/metrics.ts';
import type { OrderIndex } from './order-index.ts';

/** The index in this process; empty where matching processes hold the orders. */
export const indexGauges = (index: Pick<OrderIndex, 'census' | 'waiting' | 'keptAgeMs'>): GaugeSource[] => [
  {
    name: 'sameway_index_orders',
    help: 'Open orders in the index of this process, by kind; none until it answers searches.',
    labels: ['kind'],
    async read() {
      const census = await index.census();
      if (census === null) return [];
      return [
        { labels: { kind: 'ride' }, value: census.rides },
        { labels: { kind: 'request' }, value: census.requests },
      ];
    },
  },
  {
    name: 'sameway_index_waiting',
    help: 'Questions that the matching threads of this process have not answered yet.',
    read: () => [{ value: index.waiting }],
  },
  {
    name: 'sameway_index_file_age_seconds',
    help: 'Age of the file from which the next start reads the index; none where the orders are too few for one.',
    read: () => (index.keptAgeMs === null ? [] : [{ value: index.keptAgeMs / secondMs }]),
  },
];

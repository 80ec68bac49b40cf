import type { SignalOf } from '../../platform/events/listeners.ts';
import type { SignalName, SignalPayloads } from '../../platform/events/signals.ts';
import type { About } from './about.ts';
import type { OfOrder } from './order-facts.ts';
import type { News, NewsFacts } from './rules/notification-texts.ts';

/** A notification for one person. */
export type NoticeDraft = About & { userId: string; news: News };

/** A notification about an order, whose facts are added to it, and when it ends. */
export interface OrderNoticeDraft extends Omit<About, 'thing'> {
  userId: string;
  news: News;
  of: OfOrder;
  /** When it happened, for notifications that expire. */
  at?: Date;
  /** The order's facts where they are known. */
  order?: NewsFacts;
}

export type Draft = NoticeDraft | OrderNoticeDraft;

/** Rows read for a whole batch of signals, for the drafts of each. */
export interface Gathered {
  /** The terms on which passengers have joined, by booking. */
  joins: ReadonlyMap<
    string,
    { joinedAt: Date | null; startedBy: 'driver' | 'passenger'; isInstant: boolean }
  >;
  /** People near a published order who want to know of it, by order. */
  neighbors: ReadonlyMap<string, readonly string[]>;
}

/** Which signals lead to notifications, and to which. */
export type Drafting = {
  [N in SignalName]?: {
    concerns: true | ((payload: SignalPayloads[N]) => boolean);
    drafts: (signal: SignalOf<N>, gathered: Gathered) => readonly Draft[] | Promise<readonly Draft[]>;
  };
};

import type { App } from '../../app-type.ts';
import type { EventDirectory } from './event-directory.ts';
import type { Moves } from './moves.ts';
import type { ChatDirectory, MessageDirectory, ReviewDirectory } from './upper-directories.ts';
import type { Quotes } from './quotes.ts';

/** The features that orders depend on. */
export interface OrderFeatures {
  events: EventDirectory;
  reviews: ReviewDirectory;
  chat: ChatDirectory;
  messages: MessageDirectory;
}

/** What reading orders depends on. */
export interface ReadContext extends OrderFeatures {
  platform: App;
  quotes: Quotes;
}

/** What publishing and editing an order depend on. */
export interface OrderContext extends ReadContext {
  moves: Moves;
}

import type { Db } from '../../../platform/database/db.ts';
import { bindCommand } from '../bind-command.ts';
import type { ProviderContext } from '../provider/context.ts';
import { deleteCustomer } from './customer.ts';
import { beginCard, chooseCard, listCards, ownCard, removeCard } from './manage-cards.ts';
import { cardsOf } from './store.ts';
import { cardToPayWith, syncCards } from './sync-cards.ts';

export type Cards = ReturnType<typeof createCards>;

/** Saved cards: the provider keeps them, the app knows what it needs to show them and to know who can pay. */
export const createCards = (context: ProviderContext) => ({
  sync: bindCommand(context, syncCards),
  toPayWith: bindCommand(context, cardToPayWith),
  own: bindCommand(context, ownCard),
  /** What is known of a person's cards, without asking the provider. */
  known: (tx: Db, userId: string) => cardsOf(tx, userId, context.provider.kind),
  list: bindCommand(context, listCards),
  begin: bindCommand(context, beginCard),
  choose: bindCommand(context, chooseCard),
  remove: bindCommand(context, removeCard),
  forget: bindCommand(context, deleteCustomer),
});

import type { OrderContext } from '../context.ts';
import { countAudience } from './count-audience.ts';
import { explainMatch } from './explain-match.ts';
import { matchMap } from './match-map.ts';
import { matchDraft, matchFew, matchOrder, matchPair, ridesToTell } from './match-order.ts';

/** Candidates as people see them: places as exact as the viewer may see them, each with its reasons. */
export const createCandidates = (context: OrderContext) => ({
  match: matchOrder.bind(null, context),
  matchFew: matchFew.bind(null, context),
  ridesToTell: ridesToTell.bind(null, context),
  matchPair: matchPair.bind(null, context),
  matchDraft: matchDraft.bind(null, context),
  explain: explainMatch.bind(null, context),
  audience: countAudience.bind(null, context),
  matchMap: matchMap.bind(null, context),
});

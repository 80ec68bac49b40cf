export { assignRides } from './assign-rides.ts';
export type { PlacedDraft } from './draft-wish.ts';
export type { Verdict } from './engine/entries.ts';
export { explainPair } from './explain-pair.ts';
export {
  requestsForRide,
  ridesForDraft,
  ridesForDrafts,
  ridesForRequest,
  ridesForRequests,
} from './find-fits.ts';
export { fitPair } from './fit-pair.ts';
export { insertionAhead } from './insertion-ahead.ts';
export { fitDrafts, fitOffers, type Offer } from './judge-pairs.ts';
export { closeMatching, searchIndex, serveOwnIndex, warmOwnIndex } from './own-index.ts';
export { planOf } from './pair.ts';
export type { RequestRow, RideRow } from './ports.ts';
export { everything, type Around, type Fit, type Part } from './rank-fits.ts';
export { betweenRounded, rerouteRide, spotsNear, travelBetween } from './roads-between.ts';
export { carShares } from './rules/car-shares.ts';
export { arriveByMs, defaultMaxDetourMs } from './rules/detour.ts';
export { withBooking, type Insertion } from './rules/insertion.ts';
export {
  boardingMs as viaStandsMs,
  inOtherTraffic,
  planAlone,
  withoutBooking,
  type Plan,
  type Via,
} from './rules/plan.ts';
export { ceilingCents, leastShareCents } from './rules/price.ts';
export { wholeHundreds, wholeMinutes } from './rules/rounding.ts';
export type { Spot, Wish } from './rules/wish.ts';
export { openMatching } from './state.ts';
export { agreedSpot, plansFrom, wishOf } from './store.ts';
export { tellBooking, tellPair, type Told } from './tell-pair.ts';

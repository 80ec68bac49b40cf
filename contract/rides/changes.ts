import { defineMoves } from '../define.ts';

/** The states of a proposal of another time, price or route. */
export const changeStates = ['open', 'applied', 'withdrawn', 'lapsed'] as const;
export type ChangeState = (typeof changeStates)[number];

/**
 * The moves of a proposal. It applies once all still on board have accepted; a passenger who declines leaves
 * the ride free of charge and their request reopens; without an answer in time nothing changes.
 */
export const changeMoves = defineMoves<ChangeState, 'driver' | 'system'>()({
  propose: { id: 'C0', actors: ['driver'], from: null, to: 'open' },
  apply: { id: 'C1', actors: ['system'], from: ['open'], to: 'applied' },
  withdraw: { id: 'C2', actors: ['driver'], from: ['open'], to: 'withdrawn' },
  lapse: { id: 'C3', actors: ['system'], from: ['open'], to: 'lapsed' },
});
export type ChangeMove = keyof typeof changeMoves;

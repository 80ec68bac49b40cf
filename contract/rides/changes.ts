import { defineMoves } from '../define.ts';

/** How far a proposal of another time or price has come. */
export const changeStates = ['open', 'applied', 'withdrawn', 'lapsed'] as const;
export type ChangeState = (typeof changeStates)[number];

/**
 * The stages of a proposal. It applies once everybody still on board has accepted; who declines leaves the
 * ride free of charge and looks for another; without an answer in time nothing changes for anybody.
 */
export const changeMoves = defineMoves<ChangeState, 'driver' | 'system'>()({
  propose: { id: 'C0', actors: ['driver'], from: null, to: 'open' },
  apply: { id: 'C1', actors: ['system'], from: ['open'], to: 'applied' },
  withdraw: { id: 'C2', actors: ['driver'], from: ['open'], to: 'withdrawn' },
  lapse: { id: 'C3', actors: ['system'], from: ['open'], to: 'lapsed' },
});
export type ChangeMove = keyof typeof changeMoves;

import type { Platform } from '../../../platform/platform.ts';
import { minuteMs } from '../../../platform/clock.ts';

/** How long the fee of a preview is the one charged. */
export const seenForMs = 2 * minuteMs;

const purpose = 'cancel-fee';

/** A fee that a preview showed: to whom, for which booking, when. */
export interface SeenFee {
  feeCents: number;
  at: Date;
}

/** Signs a cancellation preview, so that the app can send it back but cannot forge one. */
export function createSeenFees({ signedTokens, clock }: Pick<Platform, 'signedTokens' | 'clock'>) {
  const textOf = ({ feeCents, at }: SeenFee, personId: string, bookingId: string) =>
    [personId, bookingId, feeCents, at.getTime()].join(':');

  return {
    async sign(fee: SeenFee, personId: string, bookingId: string): Promise<string> {
      return `${fee.feeCents}.${fee.at.getTime()}.${await signedTokens.derive(purpose, textOf(fee, personId, bookingId))}`;
    },

    /** Null unless it was shown to this person for this booking within the last two minutes. */
    async read(text: string, personId: string, bookingId: string): Promise<SeenFee | null> {
      const parts = /^(\d{1,9})\.(\d{1,15})\.([\w-]+)$/.exec(text);
      if (parts === null) return null;
      const fee = { feeCents: Number(parts[1]), at: new Date(Number(parts[2])) };
      if (!(await signedTokens.isDerived(purpose, textOf(fee, personId, bookingId), parts[3]!))) return null;
      const ageMs = clock.now().getTime() - fee.at.getTime();
      return ageMs >= 0 && ageMs <= seenForMs ? fee : null;
    },
  };
}

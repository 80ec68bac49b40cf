import { minuteMs, type Clock } from '../clock.ts';
import type { Caller } from '../http/caller.ts';
import { Refusal } from '../refusal.ts';

/** What the person of a sign-in has proved in it, and when. */
export interface SessionProof {
  /** When they last proved who they are: at its start, or since. */
  provedAt: Date;
  /** When they last did so with a second factor; null for never. */
  secondFactorAt: Date | null;
  /** Whether the person has a second factor at all. */
  hasSecondFactor: boolean;
}

/** Reads it from the tables of accounts; null for a session that is gone. */
export type ReadProof = (sessionId: string) => Promise<SessionProof | null>;

/** So long a proof counts. */
export const proofLifeMs = 10 * minuteMs;

/** What has to be proved before a call, beyond being signed in. */
export interface Proofs {
  /** Refuses `session.stepUp` unless the person has proved who they are in the last ten minutes. */
  requireRecent(caller: Pick<Caller, 'sessionId'>): Promise<void>;
  /**
   * For people on the team: refuses `access.secondFactorNeeded` without a second factor, and `session.stepUp`
   * where this sign-in began without it.
   */
  requireSecondFactor(caller: Pick<Caller, 'sessionId'>): Promise<void>;
}

/**
 * @param needsSecondFactor whether people on the team need one: not in the demo, whose accounts are shared.
 */
export const createProofs = (read: ReadProof, clock: Clock, needsSecondFactor: boolean): Proofs => ({
  async requireRecent({ sessionId }) {
    const proof = await read(sessionId);
    if (proof === null || clock.now().getTime() - proof.provedAt.getTime() > proofLifeMs) throw stepUp();
  },
  async requireSecondFactor({ sessionId }) {
    if (!needsSecondFactor) return;
    const proof = await read(sessionId);
    if (proof?.hasSecondFactor !== true) throw secondFactorNeeded();
    if (proof.secondFactorAt === null) throw stepUp();
  },
});

const stepUp = () => new Refusal('session.stepUp', 'Please confirm that it’s you.', { code: 403 });
const secondFactorNeeded = () =>
  new Refusal('access.secondFactorNeeded', 'Your role needs a second factor. Please set one up first.', {
    code: 403,
  });

import { minuteMs, type Clock } from '../clock.ts';
import type { Caller } from '../http/caller.ts';
import { Refusal } from '../refusal.ts';

/** When and how the person of a session confirmed their identity. */
export interface SessionProof {
  /** When they last confirmed it: when they signed in, or later. */
  provedAt: Date;
  /** When they last did so with a second factor; null for never. */
  secondFactorAt: Date | null;
  /** Whether the person has a second factor. */
  hasSecondFactor: boolean;
}

/** Reads it from the database; null if the session no longer exists. */
export type ReadProof = (sessionId: string) => Promise<SessionProof | null>;

/** How long a confirmation counts. */
export const proofLifeMs = 10 * minuteMs;

/** The confirmations that some calls need in addition to a session. */
export interface Proofs {
  /** Refuses `session.stepUp` unless the person has confirmed their identity in the last ten minutes. */
  requireRecent(caller: Pick<Caller, 'sessionId'>): Promise<void>;
  /**
   * For people on the team: refuses `access.secondFactorNeeded` if they have no second factor, and
   * `session.stepUp` if this session began without it.
   */
  requireSecondFactor(caller: Pick<Caller, 'sessionId'>): Promise<void>;
}

/**
 * @param needsSecondFactor whether people on the team need one: not in the demo, where people share accounts.
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

import { setTimeout as pause } from 'node:timers/promises';
import type { Stripe } from 'stripe';
import type { Platform } from '../../platform/platform.ts';
import type { Alarm } from './alarms/store.ts';
import { chooseProvider, type ChosenProvider } from './provider/choose-provider.ts';
import { termsOf, type Terms } from './terms.ts';

/** Whether the ledger says what the provider's balance says, and what else does not fit. */
export interface BooksCompared {
  ledgerCents: number;
  providerCents: number;
  /**
   * Money that payments have moved and the provider has not booked yet, or the other way round, by account;
   * all zero at rest. `cards`: paid by passengers; `drivers`: earned by drivers; `disputes`: taken back by
   * banks.
   */
  openCents: { cards: number; drivers: number; disputes: number };
}

/** State of this feature that lives as long as the process. */
export interface PaymentsState extends ChosenProvider {
  terms: Terms;
  /** Alarms from where no transaction may begin; written with the next round of the clock. */
  noted: Map<string, Alarm>;
  /** The result of this process's last comparison. */
  lastCompared: (BooksCompared & { at: string }) | null;
  /** Calls of the provider that a second still allows. */
  calls: CallBudget;
  /** Authorizations that this process works on by the clock. */
  inFlight: Set<Promise<void>>;
  /**
   * The rest of test money: `isFirst` until all of it has been processed once, and authorizations that could
   * not be ended, which are tried again after the next start.
   */
  testMoney: { isFirst: boolean; failed: Set<string> };
}

/** Opens the configured provider; the sandbox begins to listen. */
export async function openPayments(
  platform: Platform,
  httpClient: Stripe.HttpClient | undefined,
): Promise<PaymentsState> {
  const { env } = platform;
  const noted = new Map<string, Alarm>();
  const chosen = await chooseProvider(platform, {
    httpClient,
    onFault: (kind, detail) => noted.set(`${kind} `, { kind, about: '', detail }),
  });
  const { kind } = chosen.provider;
  return {
    ...chosen,
    terms: termsOf(env, kind),
    noted,
    lastCompared: null,
    calls: new CallBudget(kind === 'sandbox' ? Infinity : env.CARD_CALLS_PER_SECOND),
    inFlight: new Set(),
    testMoney: { isFirst: true, failed: new Set() },
  };
}

/**
 * Limits the calls a second, counted by the machine's own clock, because the provider counts by its own:
 * further calls wait their turn. A second's calls may come at once.
 */
export class CallBudget {
  readonly #perSecond: number;
  /** When the next call may be made, in milliseconds of this process. */
  #nextMs = -Infinity;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Waits until a call may be made, and counts it. */
  async take(nowMs = performance.now()): Promise<void> {
    const waitMs = this.reserve(nowMs);
    if (waitMs > 0) await pause(waitMs);
  }

  /** Counts a call. @returns how long it has to wait. */
  reserve(nowMs: number): number {
    if (this.#perSecond === Infinity) return 0;
    this.#nextMs = Math.max(this.#nextMs, nowMs - 1000) + 1000 / this.#perSecond;
    return Math.max(0, this.#nextMs - nowMs);
  }
}

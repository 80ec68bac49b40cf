/** Why a card is refused, as Stripe's public test cards are. */
export interface Decline {
  code: string;
  declineCode: string;
  message: string;
}

export interface TestCard {
  /** Stripe's public test number. */
  number: string;
  /** Names it can be asked for by, instead of a number. */
  tokens: readonly string[];
  brand: 'visa' | 'mastercard' | 'amex';
  funding: 'credit' | 'debit';
  /** Refused when it is saved, and when it is charged. */
  refusedAlways?: Decline;
  /** Saved without trouble, refused when it is charged. */
  refusedOnCharge?: Decline;
  /** Its holder must confirm: every payment, or only where it was not saved with a confirmation before. */
  asksHolder?: 'always' | 'unlessSetUp';
  /** Charged without trouble; once the money is taken its bank takes it back, for this reason. */
  disputedAs?: 'fraudulent' | 'product_not_received';
  /**
   * Charged without trouble; once the money is taken its bank warns that the holder may not have meant it.
   */
  warnsOfFraud?: true;
}

const declined = (code: string, declineCode: string, message: string): Decline => ({
  code,
  declineCode,
  message,
});
const generic = declined('card_declined', 'generic_decline', 'Your card was declined.');
const insufficient = declined('card_declined', 'insufficient_funds', 'Your card has insufficient funds.');

/** Stripe's published test cards (docs.stripe.com/testing), by what they do. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', tokens: ['pm_card_visa'], brand: 'visa', funding: 'credit' },
  { number: '4000056655665556', tokens: ['pm_card_visa_debit'], brand: 'visa', funding: 'debit' },
  { number: '5555555555554444', tokens: ['pm_card_mastercard'], brand: 'mastercard', funding: 'credit' },
  { number: '378282246310005', tokens: ['pm_card_amex'], brand: 'amex', funding: 'credit' },
  {
    number: '4000000000000002',
    tokens: ['pm_card_visa_chargeDeclined', 'pm_card_chargeDeclined'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: generic,
  },
  {
    number: '4000000000009995',
    tokens: ['pm_card_visa_chargeDeclinedInsufficientFunds', 'pm_card_chargeDeclinedInsufficientFunds'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: insufficient,
  },
  {
    number: '4000000000009987',
    tokens: ['pm_card_visa_chargeDeclinedLostCard'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: declined('card_declined', 'lost_card', 'Your card was declined.'),
  },
  {
    number: '4000000000009979',
    tokens: ['pm_card_visa_chargeDeclinedStolenCard'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: declined('card_declined', 'stolen_card', 'Your card was declined.'),
  },
  {
    number: '4000000000000069',
    tokens: ['pm_card_chargeDeclinedExpiredCard'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: declined('expired_card', 'expired_card', 'Your card has expired.'),
  },
  {
    number: '4000000000000127',
    tokens: ['pm_card_chargeDeclinedIncorrectCvc'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: declined('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."),
  },
  {
    number: '4000000000000119',
    tokens: ['pm_card_chargeDeclinedProcessingError'],
    brand: 'visa',
    funding: 'credit',
    refusedAlways: declined(
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
  },
  {
    number: '4000000000000341',
    tokens: ['pm_card_chargeCustomerFail'],
    brand: 'visa',
    funding: 'credit',
    refusedOnCharge: generic,
  },
  {
    number: '4000000000000259',
    tokens: ['pm_card_createDispute'],
    brand: 'visa',
    funding: 'credit',
    disputedAs: 'fraudulent',
  },
  {
    number: '4000000000002685',
    tokens: ['pm_card_createDisputeProductNotReceived'],
    brand: 'visa',
    funding: 'credit',
    disputedAs: 'product_not_received',
  },
  {
    number: '4000000000005423',
    tokens: ['pm_card_createIssuerFraudRecord'],
    brand: 'visa',
    funding: 'credit',
    warnsOfFraud: true,
  },
  {
    number: '4000002500003155',
    tokens: ['pm_card_authenticationRequiredOnSetup'],
    brand: 'visa',
    funding: 'credit',
    asksHolder: 'unlessSetUp',
  },
  {
    number: '4000002760003184',
    tokens: ['pm_card_authenticationRequired'],
    brand: 'visa',
    funding: 'credit',
    asksHolder: 'always',
  },
  {
    number: '4000000000003220',
    tokens: ['pm_card_threeDSecure2Required'],
    brand: 'visa',
    funding: 'credit',
    asksHolder: 'unlessSetUp',
  },
  {
    number: '4000008260003178',
    tokens: ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
    brand: 'visa',
    funding: 'credit',
    asksHolder: 'always',
    refusedOnCharge: insufficient,
  },
];

export const cardByNumber = (number: string): TestCard | null =>
  testCards.find((card) => card.number === number) ?? null;

export const cardByToken = (token: string): TestCard | null =>
  testCards.find((card) => card.tokens.includes(token)) ?? null;

/** Whether a number's last digit is right (Luhn's sum). */
export function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (const [position, digit] of Array.from(number).toReversed().entries()) {
    const value = Number(digit) * (position % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/**
 * Whether the holder must confirm now. Off session a card that was set up is not asked again, unless it
 * always asks; on session every card that asks does.
 */
export function mustAskHolder(
  card: TestCard,
  { offSession, isSetUp }: { offSession: boolean; isSetUp: boolean },
) {
  if (card.asksHolder === undefined) return false;
  return card.asksHolder === 'always' || !offSession || !isSetUp;
}

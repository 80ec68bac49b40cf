import { Stripe } from 'stripe';

/**
 * The fault of the connection to the card provider: none, no request arrives, no answer to a change arrives,
 * or no event arrives.
 */
export type Trouble = 'none' | 'away' | 'answerLost' | 'newsLost';

/** A line to the card provider that a test disturbs. */
export interface Line {
  is: Trouble;
  /** Delays the next answer to a read: calls `taken`, and awaits `until`. */
  late: { taken: () => void; until: Promise<void> } | null;
}

/** A client of the SDK whose answers get lost, or whose requests never arrive, as `trouble` says. */
export function fickleClient(): { client: Stripe.HttpClient; trouble: Line } {
  const inner = Stripe.createNodeHttpClient();
  const client = Object.create(inner) as Stripe.HttpClient;
  const trouble: Line = { is: 'none', late: null };
  client.makeRequest = async (...request) => {
    if (trouble.is === 'away') throw new Error('nobody listens');
    const isRead = request[3] === 'GET';
    if (trouble.is === 'newsLost' && isRead && request[2].startsWith('/v1/events'))
      throw new Error('the news does not come');
    const answer = await inner.makeRequest(...request);
    if (trouble.is === 'answerLost' && !isRead) throw new Error('the line went dead');
    const { late } = trouble;
    if (isRead && late !== null) {
      trouble.late = null;
      late.taken();
      await late.until;
    }
    return answer;
  };
  return { client, trouble };
}

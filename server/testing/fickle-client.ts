import { Stripe } from 'stripe';

/**
 * What is wrong with the line to the card provider: nothing, no request arrives, or no answer to what changes
 * something.
 */
export type Trouble = 'none' | 'away' | 'answerLost';

/** A client of the SDK whose answers get lost, or whose requests never arrive, when it is told so. */
export function fickleClient(): { client: Stripe.HttpClient; trouble: { is: Trouble } } {
  const inner = Stripe.createNodeHttpClient();
  const client = Object.create(inner) as Stripe.HttpClient;
  const trouble: { is: Trouble } = { is: 'none' };
  client.makeRequest = async (...request) => {
    if (trouble.is === 'away') throw new Error('nobody listens');
    const answer = await inner.makeRequest(...request);
    if (trouble.is === 'answerLost' && request[3] === 'POST') throw new Error('the line went dead');
    return answer;
  };
  return { client, trouble };
}

import { randomUUID } from 'node:crypto';
import type { Base } from '../../base/base.ts';
import { feedback } from '../../tables/feedback.ts';

const most = { messages: 10, windowSeconds: 3600 };

export type FeedbackService = ReturnType<typeof createFeedback>;

/** Messages to the people who run the installation. */
export function createFeedback({ transact, clock, limit }: Base) {
  return {
    /** Keeps a message. Refuses more than ten an hour from one person. */
    async post(authorId: string, message: { subject: string; message: string }): Promise<{ id: string }> {
      await limit(`feedback:${authorId}`, most.messages, most.windowSeconds);
      const id = randomUUID();
      await transact((tx) =>
        tx.insert(feedback).values({ id, authorId, ...message, createdAt: clock.now() }),
      );
      return { id };
    },
  };
}

import { z } from 'zod';
import { defineEndpoint, reportLimit } from '../define.ts';
import { id, mostPerPage, offset, reasonLength, someOf, someWords, words } from '../units.ts';
import { person } from '../user/endpoints.ts';

export const reviewTags = ['onTime', 'friendly', 'safeDriver', 'goodConversation', 'quiet', 'tidy'] as const;

export const review = z.object({
  id: z.string(),
  rideId: z.string(),
  author: person,
  subject: person,
  stars: z.number().int().min(1).max(5),
  tags: someOf(z.enum(reviewTags)),
  words: z.string(),
  at: z.iso.datetime(),
  /** The reviewed person's reply; empty where there is none. */
  reply: z.string(),
  /** Whether the viewer may still reply. */
  mayReply: z.boolean(),
  /** Whether the viewer may report it: another person's review that they have not reported yet. */
  mayReport: z.boolean(),
  /** Shown to others once both have written, or 14 days after the ride. */
  published: z.boolean(),
});
export type Review = z.output<typeof review>;

export const pendingReview = z.object({
  bookingId: z.string(),
  rideId: z.string(),
  subject: person,
  from: z.string(),
  to: z.string(),
  departsAt: z.iso.datetime(),
  timeZone: z.string(),
  until: z.iso.datetime(),
});

export const listReviews = defineEndpoint({
  method: 'GET',
  path: '/review/list',
  who: 'user',
  summary: 'Published reviews about a person, or those of one ride that I may see, the newest first.',
  input: z.object({ userId: id.optional(), rideId: id.optional(), offset }),
  output: z.object({ reviews: z.array(review).max(mostPerPage), total: z.number().int() }),
  refusals: ['review.ofWhat'],
});

export const pendingReviews = defineEndpoint({
  method: 'GET',
  path: '/review/pending',
  who: 'user',
  summary: 'Reviews I may still write.',
  input: z.object({}),
  output: z.object({ pending: z.array(pendingReview).max(mostPerPage) }),
  refusals: [],
});

export const createReview = defineEndpoint({
  method: 'POST',
  path: '/review/create',
  who: 'user',
  summary: 'Reviews the other side of a finished booking, once, within 14 days.',
  input: z.object({
    bookingId: id,
    stars: z.number().int().min(1, 'Please select 1 to 5 stars.').max(5, 'Please select 1 to 5 stars.'),
    tags: someOf(z.enum(reviewTags)).default([]),
    words: words(1000).default(''),
  }),
  output: review,
  refusals: ['booking.notFound', 'review.exists', 'review.closed'],
});

export const replyLength = 500;

export const replyToReview = defineEndpoint({
  method: 'POST',
  path: '/review/reply',
  who: 'user',
  summary: 'Replies to a public review about me, once.',
  input: z.object({ reviewId: id, words: someWords(replyLength, 'Please enter a reply.') }),
  output: review,
  refusals: ['review.notFound', 'review.replied'],
});

export const reportReview = defineEndpoint({
  method: 'POST',
  path: '/review/report',
  who: 'user',
  summary: 'Reports a public review that breaks the rules to the team, once, with a reason.',
  limits: [reportLimit],
  input: z.object({ reviewId: id, reason: someWords(reasonLength, 'Please enter a reason.') }),
  output: review,
  refusals: ['review.notFound', 'review.reported'],
});

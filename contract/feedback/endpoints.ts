import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { feedbackLength } from '../units.ts';

export const postFeedback = defineEndpoint({
  method: 'POST',
  path: '/feedback/post',
  who: 'user',
  summary: 'A message to the people who run this installation.',
  input: z.object({
    subject: z
      .string()
      .trim()
      .min(1, 'Please enter a subject.')
      .max(120, 'Please enter at most 120 characters.'),
    message: z
      .string()
      .trim()
      .min(1, 'Please leave a message.')
      .max(feedbackLength, `Please enter at most ${feedbackLength} characters.`),
  }),
  output: z.object({ id: z.string() }),
  refusals: [],
});

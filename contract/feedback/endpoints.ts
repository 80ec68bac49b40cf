import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { feedbackLength, nameLine, someWords } from '../units.ts';

export const postFeedback = defineEndpoint({
  method: 'POST',
  path: '/feedback/post',
  who: 'user',
  summary: 'A message to the people who run this installation.',
  limits: [{ countedAs: 'feedback', per: 'caller', most: 10, withinSeconds: hourSeconds }],
  input: z.object({
    subject: nameLine(120, 'Please enter a subject.'),
    message: someWords(feedbackLength, 'Please leave a message.'),
  }),
  output: z.object({ id: z.string() }),
  refusals: [],
});

export const appeal = defineEndpoint({
  method: 'POST',
  path: '/feedback/appeal',
  who: 'guest',
  summary: 'Somebody whose account is suspended says that it is wrong, with the code of their letter.',
  input: z.object({
    code: z.string().max(300),
    message: someWords(feedbackLength, 'Please leave a message.'),
  }),
  output: z.object({ id: z.string() }),
  refusals: ['feedback.appealOver'],
});

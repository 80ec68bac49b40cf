import { expect, test } from 'vitest';
import { z } from 'zod';
import { sentenceOf } from './check-input.ts';

const sentences = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) => sentenceOf(issue));

test.each<[z.ZodType, unknown, string]>([
  [z.object({ name: z.string().min(1, 'Please enter your name.') }), { name: '' }, 'Please enter your name.'],
  [z.object({ flightNumber: z.string() }), {}, 'Please enter flight number.'],
  [z.object({ place: z.object({ lon: z.number() }) }), { place: {} }, 'Please enter a place.'],
  [z.object({ departsAt: z.iso.datetime() }), { departsAt: 'noon' }, 'Please enter a departure time.'],
  [z.object({ text: z.string().max(3) }), { text: 'long' }, 'Please enter up to 3 characters.'],
  [z.object({ text: z.string().min(1) }), { text: '' }, 'Please enter text.'],
  [z.object({ walkMetres: z.number().max(5000) }), { walkMetres: 9e9 }, 'Please enter walk of up to 5000.'],
  [z.object({ seats: z.number().min(1) }), { seats: 0 }, 'Please enter seats of at least 1.'],
  [z.object({ days: z.array(z.string()).max(1) }), { days: ['a', 'b'] }, 'Please choose up to 1.'],
  [z.object({ role: z.enum(['driver']) }), { role: 'cat' }, 'Please enter role.'],
  [z.array(z.string()), [1], 'Please enter a value.'],
])('%#: what zod says by itself becomes a sentence that names the field', (schema, value, sentence) => {
  expect(sentences(schema, value)).toEqual([sentence]);
});

import { z } from 'zod';
import { defineEndpoint } from '../define.ts';

export const appVersion = '3.0.20';
export const appBuild = 3020;

export const version = defineEndpoint({
  method: 'GET',
  path: '/app/version',
  who: 'guest',
  summary: 'The version being served, and whether searches are answered yet.',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    build: z.number().int(),
    /**
     * False for the first seconds after a start, while the open orders are being read; everything else is
     * served.
     */
    ready: z.boolean(),
  }),
  refusals: [],
});

export const config = defineEndpoint({
  method: 'GET',
  path: '/app/config',
  who: 'guest',
  summary: 'What the web app needs to know of this installation: region, map, clock, limits.',
  input: z.object({}),
  output: z.object({
    /** The server's clock; the app shows and counts times by it. */
    now: z.iso.datetime(),
    demo: z.boolean(),
    /** Codes and emails are readable in the built-in mail outbox page. */
    mailOutbox: z.boolean(),
    region: z.object({
      name: z.string(),
      title: z.string(),
      timeZone: z.string(),
      bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
      center: z.tuple([z.number(), z.number()]),
      attribution: z.string(),
      /**
       * The packs that make the region; the first is where people look. None runs on estimates, without a
       * map.
       */
      packs: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
          /** Where its map knows the sea from: its tiles, a file of dry land, or nowhere. */
          coast: z.enum(['tiles', 'land']).nullable(),
        }),
      ),
    }),
    /** Address of a hosted map style, tried first when set. */
    tilesUrl: z.string().nullable(),
    advisedCentsPerMile: z.number(),
    maxTransactionCents: z.number(),
    /** What drivers who cancel late are counted by; the legal pages say the same. */
    strikes: z.object({
      withinHours: z.number(),
      months: z.number(),
      forReview: z.number(),
      forSuspension: z.number(),
    }),
    /** Accounts of the demo community that a visitor may sign in with; empty outside the demo. */
    demoSignIns: z.array(
      z.object({
        role: z.enum(['driver', 'passenger', 'admin']),
        name: z.string(),
        email: z.string(),
        password: z.string(),
      }),
    ),
  }),
  refusals: [],
});

import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { mostPerPage } from '../units.ts';

export const appVersion = '3.0.20';
export const appBuild = 3020;

export const version = defineEndpoint({
  method: 'GET',
  path: '/app/version',
  who: 'guest',
  summary: 'The version that the server runs, and whether it is ready to answer searches.',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    build: z.number().int(),
    /** False for the first seconds after a start, while the open orders are read; all other calls work. */
    ready: z.boolean(),
  }),
  refusals: [],
});

export const config = defineEndpoint({
  method: 'GET',
  path: '/app/config',
  who: 'guest',
  summary: 'The configuration of this installation that the web app needs: region, map, clock, limits.',
  input: z.object({}),
  output: z.object({
    /** The server's clock; the app shows and counts times by it. */
    now: z.iso.datetime(),
    demo: z.boolean(),
    /** Whether codes and emails can be read on the built-in outbox page. */
    mailOutbox: z.boolean(),
    region: z.object({
      name: z.string(),
      title: z.string(),
      timeZone: z.string(),
      bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
      center: z.tuple([z.number(), z.number()]),
      attribution: z.string(),
      /**
       * The map packs of the region; the first is the initial view. Empty: runs on estimates, without a map.
       */
      packs: z
        .array(
          z.object({
            name: z.string(),
            title: z.string(),
            bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
            /** Bounds of the pack's map: the region's, or wider where the pack has its surroundings. */
            mapBounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
            /** The source of the coastline: the map's tiles, a file of dry land, or none. */
            coast: z.enum(['tiles', 'land']).nullable(),
          }),
        )
        .max(mostPerPage),
    }),
    /** The address of a hosted map style, tried first when set. */
    tilesUrl: z.string().nullable(),
    advisedCentsPerMile: z.number(),
    maxTransactionCents: z.number(),
    /** The limits for drivers who cancel late; the legal pages state the same. */
    strikes: z.object({
      withinHours: z.number(),
      months: z.number(),
      forReview: z.number(),
      forSuspension: z.number(),
    }),
    /** Demo accounts that a visitor may sign in with; empty outside the demo. */
    demoSignIns: z
      .array(
        z.object({
          role: z.enum(['driver', 'passenger', 'admin']),
          name: z.string(),
          email: z.string(),
          password: z.string(),
        }),
      )
      .max(mostPerPage),
  }),
  refusals: [],
});

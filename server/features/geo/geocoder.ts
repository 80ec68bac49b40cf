import type { FoundPlace } from '#contract/geo/endpoints.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { Platform } from '../../platform/platform.ts';
import { secondMs } from '../../platform/clock.ts';
import { placesIn, type GeocoderKind } from './rules/geocoder-answers.ts';

/** A hosted geocoder. Null means that it did not answer, and that the server uses its own search. */
export interface Geocoder {
  search(text: string, near: LonLat): Promise<FoundPlace[] | null>;
  /** The one place at a point, undefined where it has none. */
  reverse(at: LonLat): Promise<FoundPlace | undefined | null>;
}

const answerWithinMs = 3 * secondMs;
/**
 * No requests for this long after a failure: a person who types must not wait for a timeout at every letter.
 */
const restMs = 30 * secondMs;
const mostBytes = 1_000_000;
const mostAsked = 10;

/**
 * The geocoder at `GEOCODER_URL`: Photon's `…/api` or Nominatim's `…/search`; null where none is configured.
 */
export function createGeocoder({
  env,
  clock,
  log,
}: Pick<Platform, 'env' | 'clock' | 'log'>): Geocoder | null {
  if (env.GEOCODER_URL === undefined) return null;
  const searchUrl = env.GEOCODER_URL;
  const kind: GeocoderKind = /\/api\/?$/.test(new URL(searchUrl).pathname) ? 'photon' : 'nominatim';
  const reverseUrl = searchUrl.replace(/(api|search)\/?(\?.*)?$/, 'reverse$2');
  let asleepUntilMs = 0;

  async function ask(base: string, query: Record<string, string | number>): Promise<FoundPlace[] | null> {
    if (clock.now().getTime() < asleepUntilMs) return null;
    const url = new URL(base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json', 'user-agent': `Sameway (${env.publicUrl})` },
        signal: AbortSignal.timeout(answerWithinMs),
        redirect: 'error',
      });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      const places = placesIn(kind, JSON.parse(await textOf(response)));
      if (places === null) throw new Error(`this is no answer of ${kind}`);
      return places;
    } catch (error) {
      asleepUntilMs = clock.now().getTime() + restMs;
      log.warn({ err: error, host: url.host }, 'the geocoder did not answer');
      return null;
    }
  }

  return {
    search(text, near) {
      return kind === 'photon'
        ? ask(searchUrl, { q: text, limit: mostAsked, lat: near.lat, lon: near.lon })
        : ask(searchUrl, {
            q: text,
            limit: mostAsked,
            format: 'jsonv2',
            addressdetails: 1,
            // A preference, not a border.
            viewbox: [near.lon - 1, near.lat + 1, near.lon + 1, near.lat - 1].join(),
          });
    },
    async reverse({ lon, lat }) {
      const places = await ask(
        reverseUrl,
        kind === 'photon'
          ? { lon, lat, limit: 1 }
          : { lon, lat, format: 'jsonv2', addressdetails: 1, zoom: 18 },
      );
      return places && places[0];
    },
  };
}

/** A response's body. @throws Error beyond a megabyte. */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new Error('its answer is too large');
  }
  return Buffer.concat(parts).toString('utf8');
}

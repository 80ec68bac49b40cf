import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelEvent, createEvent, eventDetail } from '#contract/events/endpoints.ts';
import { cancelOrder } from '#contract/rides/endpoints.ts';
import { makeLink } from '#contract/rides/share-links.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { describePage } from './preview-of-thing.ts';

let app: TestApp;
let mia: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  mia = await app.person('Mia Keller');
});
afterAll(() => app.close());

/** An address's description, as JSON. */
async function describe(url: string, language: 'en' | 'zh' = 'en') {
  const { pathname, searchParams } = new URL(url, 'http://app');
  const { status, head } = await describePage(app.platform, {
    path: pathname,
    query: searchParams,
    language,
    network: crypto.randomUUID(),
  });
  return { status, ...head };
}

const fields = {
  name: 'Lantern walk',
  place: spots.capitola,
  starts: '2026-11-28T18:00',
  ends: '2026-11-28T20:30',
};
const announce = (more: object = {}) => app.ok(mia, createEvent, { ...fields, ...more });

test('a public event says its name, time and place, and search engines may keep it while it is to come', async () => {
  const { id } = await announce({ description: 'Bring a lantern.' });
  const url = `/pages/events/events?id=${id}`;
  const said = await describe(`${url}&utm_source=chat`);
  expect(said).toMatchObject({
    status: 200,
    language: 'en',
    title: 'Lantern walk · Sameway',
    description: expect.stringMatching(/^Sat, Nov 28, 6:00 PM PST, Capitola Village, Capitola\./),
    address: `http://localhost:3020${url}`,
    isIndexed: true,
    data: {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Lantern walk',
      startDate: '2026-11-29T02:00:00.000Z',
      endDate: '2026-11-29T04:30:00.000Z',
      eventStatus: 'https://schema.org/EventScheduled',
      location: { name: 'Capitola Village', address: 'Capitola' },
    },
  });
  expect(said.lines).toEqual([
    said.description,
    'Bring a lantern.',
    'Outbound: 0 seats offered, 0 seats needed',
    'Return: 0 seats offered, 0 seats needed',
  ]);
  // The organizer is not named where no one asked.
  expect(JSON.stringify(said)).not.toMatch(/Mia|Keller/);
  expect(await describe(url, 'zh')).toMatchObject({ title: 'Lantern walk · 顺路', language: 'zh' });
  expect(await describe(`/pages/events/poster?id=${id}`)).toMatchObject({ status: 200, isIndexed: false });
  await app.ok(mia, cancelEvent, { id });
  expect(await describe(url)).toMatchObject({
    status: 200,
    isIndexed: false,
    data: { eventStatus: 'https://schema.org/EventCancelled' },
  });
});

test('an event behind a link says nothing without its secret: it looks like one that does not exist', async () => {
  const { id } = await announce({ name: 'A surprise for Leo', visibility: 'link' });
  const { token } = await app.ok(mia, eventDetail, { id });
  const hidden = await describe(`/pages/events/events?id=${id}`);
  expect(hidden.status).toBe(404);
  for (const url of [
    `/pages/events/events?id=${crypto.randomUUID()}`,
    `/pages/events/events?id=${id}&token=wrong`,
    '/pages/events/events?id=7',
  ])
    expect(await describe(url)).toEqual(hidden);
  expect(await describe(`/pages/events/events?id=${id}&token=${token}`)).toMatchObject({
    status: 200,
    title: 'A surprise for Leo · Sameway',
    isIndexed: false,
    data: null,
  });
});

test('a ride of everyone says neighborhoods, time, seats and price, and no person', async () => {
  const from = { ...spots.westside, name: '1500 Mission Street', detail: 'the blue door' };
  const ride = await publishRide(app, mia, { from, note: 'Ring the bell' });
  const url = `/pages/order/detail?id=${ride.id}`;
  const said = await describe(url);
  expect(said).toMatchObject({
    status: 200,
    title: expect.stringMatching(/^Ride Mission Street → .+ · Sameway$/),
    description: 'Tue, Nov 24, 9:00 AM PST · 3 seats free · Free',
    isIndexed: false,
    address: `http://localhost:3020${url}`,
    data: { '@type': 'Trip', departureTime: ride.departsAt, offers: { price: '0.00', priceCurrency: 'USD' } },
  });
  expect(JSON.stringify(said)).not.toMatch(/Mia|Keller|1500|blue door|Ring the bell/);
  await app.ok(mia, cancelOrder, { id: ride.id, reason: 'The car is broken' });
  expect((await describe(url)).title).toBe('Sameway');
});

test('a ride of contacts alone says nothing, and no one learns whether it exists', async () => {
  const general = await describe(`/pages/order/detail?id=${crypto.randomUUID()}`);
  expect(general).toMatchObject({ status: 200, title: 'Sameway', isIndexed: false, data: null });
  for (const fields of [{ visibility: 'all contacts' as const }, { visibility: 'private' as const }]) {
    const leo = await app.person('Leo');
    const request = await publishRequest(app, leo, fields);
    expect(await describe(`/pages/order/detail?id=${request.id}`)).toEqual(general);
    expect(await describe(`/pages/order/detail?id=${request.orderNumber}`)).toEqual(general);
  }
});

test('a private request says what its link shows to strangers; a wrong code shows nothing', async () => {
  const ann = await app.person('Ann Li');
  const request = await publishRequest(app, ann, { visibility: 'private', offerCents: 1250 });
  const { path } = await app.ok(ann, makeLink, { id: request.id });
  const said = await describe(path!);
  expect(said).toMatchObject({
    status: 200,
    title: expect.stringMatching(/^Ride wanted .+ → .+ · Sameway$/),
    description: expect.stringContaining('1 seat needed · $12.50 per person'),
    isIndexed: false,
  });
  expect(said.address).toBe(`http://localhost:3020${path}`);
  expect(JSON.stringify(said)).not.toContain('Ann');
  expect((await describe(path!, 'zh')).description).toContain('每人 $12.50');
  expect(await describe('/pages/order/linked?code=wrong')).toMatchObject({ status: 404, isIndexed: false });
});

test('pages for all people have words of their own, an invitation invites, and what is private says nothing', async () => {
  expect(await describe('/')).toMatchObject({ isIndexed: true, data: { '@type': 'WebSite' } });
  const titles = await Promise.all(
    ['/intro', '/pages/legal/privacy', '/pages/discover/discover'].map(async (url) => {
      const { status, title, isIndexed } = await describe(url);
      return [status, title, isIndexed];
    }),
  );
  expect(titles).toEqual([
    [200, 'How Sameway works', true],
    [200, 'Privacy · Sameway', true],
    [200, 'Discover rides nearby · Sameway', true],
  ]);
  expect(await describe('/intro?inviter=abc')).toMatchObject({
    title: 'You’re invited to Sameway',
    isIndexed: false,
  });
  expect(await describe('/pages/order/shared?code=abc')).toMatchObject({ status: 200, isIndexed: false });
  const general = { status: 200, title: 'Sameway', isIndexed: false };
  expect(await describe('/pages/chat/chat?room=7')).toMatchObject(general);
  expect(await describe('/pages/chat/chat/')).toMatchObject(general);
  for (const url of ['/pages/nowhere', '/pages/', '/pages/toString', '/pages/order/Detail'])
    expect(await describe(url)).toMatchObject({ status: 404, isIndexed: false });
});

/** The picture that an address names, as bytes with its tag. */
async function picture(address: string, headers: Record<string, string> = {}) {
  const url = address.replace('http://localhost:3020', '');
  const { statusCode, headers: answer, rawPayload } = await app.http.inject({ url, headers });
  return {
    status: statusCode,
    type: answer['content-type'],
    cache: answer['cache-control'],
    tag: String(answer['etag']),
    bytes: rawPayload,
  };
}

test('the picture of a public thing shows it, and is asked for again after a day alone', async () => {
  const general = await picture('/preview/general.png');
  expect(general).toMatchObject({ status: 200, type: 'image/png', cache: 'public, max-age=86400' });
  const { id } = await announce();
  const said = await describe(`/pages/events/events?id=${id}`);
  expect(said.picture).toMatchObject({ width: 1200, height: 630, alt: 'Sameway: Lantern walk' });
  const shown = await picture(said.picture.address);
  expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  expect(shown.tag).not.toBe(general.tag);
  expect(await picture(said.picture.address, { 'if-none-match': shown.tag })).toMatchObject({ status: 304 });
  const chinese = await describe(`/pages/events/events?id=${id}`, 'zh');
  expect((await picture(chinese.picture.address)).tag).not.toBe(shown.tag);
  const ride = await publishRide(app, await app.person('Ben'));
  const ofRide = await describe(`/pages/order/detail?id=${ride.id}`);
  expect(ofRide.picture.address).toBe(`http://localhost:3020/preview/order/${ride.id}.png?lang=en`);
  expect((await picture(ofRide.picture.address)).tag).not.toBe(general.tag);
});

test('what is private or not there has the general picture', async () => {
  const ann = await app.person('Ann Li');
  const { tag } = await picture('/preview/general.png');
  const { id } = await announce({ visibility: 'link' });
  const { token } = await app.ok(mia, eventDetail, { id });
  const request = await publishRequest(app, ann, { visibility: 'private' });
  const { path } = await app.ok(ann, makeLink, { id: request.id });
  for (const url of [
    `/preview/event/${id}.png`,
    `/preview/event/${id}.png?token=wrong`,
    `/preview/event/${crypto.randomUUID()}.png`,
    `/preview/order/${request.id}.png`,
    `/preview/order/${crypto.randomUUID()}.png`,
    '/preview/link/wrong.png',
    '/preview/toString/7.png',
  ])
    expect([url, (await picture(url)).tag]).toEqual([url, tag]);
  expect((await picture(`/preview/event/${id}.png?token=${token}`)).tag).not.toBe(tag);
  const linked = await describe(path!);
  expect((await picture(linked.picture.address)).tag).not.toBe(tag);
});

test('one network has so many things looked up, and then reads the general words', async () => {
  const ask = (id: string) =>
    describePage(app.platform, {
      path: '/pages/events/events',
      query: new URLSearchParams({ id }),
      language: 'en',
      network: '203.0.113.7',
    });
  for (let tries = 0; tries < 120; tries += 1) expect((await ask('7')).status).toBe(404);
  expect(await ask('7')).toMatchObject({ status: 200, head: { title: 'Sameway', isIndexed: false } });
  const pictures = await Promise.all(
    Array.from({ length: 121 }, () =>
      app.http.inject({ url: '/preview/event/7.png', remoteAddress: '203.0.113.8' }),
    ),
  );
  expect(pictures.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
});

test('robots are led to the public pages and to the public events to come', async () => {
  const shown = await announce({ name: 'A & B <3' });
  const hidden = await announce({ visibility: 'link' });
  const get = async (url: string) => {
    const { statusCode, headers, body } = await app.http.inject({ url });
    return { statusCode, type: headers['content-type'], body };
  };
  expect((await get('/robots.txt')).body).toContain('Sitemap: http://localhost:3020/sitemap.xml');
  const index = await get('/sitemap.xml');
  expect(index).toMatchObject({ statusCode: 200, type: 'application/xml; charset=utf-8' });
  expect(index.body).toContain('<loc>http://localhost:3020/sitemap/events-1.xml</loc>');
  const pages = await get('/sitemap/pages.xml');
  expect(pages.body).toContain('<loc>http://localhost:3020/pages/legal/privacy</loc>');
  expect(pages.body).not.toContain('/pages/account');
  const events = await get('/sitemap/events-1.xml');
  expect(events.body).toContain(`<loc>http://localhost:3020/pages/events/events?id=${shown.id}</loc>`);
  expect(events.body).not.toContain(hidden.id);
  for (const name of ['events-2.xml', 'events-0.xml', 'events-x.xml', 'other.xml'])
    expect((await get(`/sitemap/${name}`)).statusCode).toBe(404);
});

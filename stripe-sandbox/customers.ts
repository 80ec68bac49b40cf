import type { Stripe } from 'stripe';
import { z } from 'zod';
import { mergeMetadata } from './metadata.ts';
import { detach, foreignMethod, methodsOf } from './payment-methods.ts';
import { listOf, metadata, paging, route, words, type Route } from './routing.ts';
import { add, look, newId, save, saveDeleted, secondsOf, take, tell } from './objects.ts';

const fields = {
  email: words(512),
  name: words(256),
  phone: words(20),
  description: words(5000),
  metadata,
  preferred_locales: z.array(z.string().max(20)).max(10).optional(),
  invoice_settings: z.strictObject({ default_payment_method: words(255) }).optional(),
};

export const customerRoutes: readonly Route[] = [
  route('POST', '/v1/customers', fields, async (call, input) => {
    const body: Stripe.Customer = {
      id: newId('customer'),
      object: 'customer',
      address: null,
      balance: 0,
      created: secondsOf(call.now),
      currency: null,
      default_source: null,
      delinquent: false,
      description: input.description ?? null,
      discount: null,
      email: input.email ?? null,
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: input.metadata ?? {},
      name: input.name ?? null,
      phone: input.phone ?? null,
      preferred_locales: input.preferred_locales ?? [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    };
    const customer = add(call, 'customer', body);
    tell(call, 'customer.created', customer);
    return body;
  }),

  route('GET', '/v1/customers', { ...paging, email: z.string().optional() }, (call, input) =>
    listOf(call, 'customer', input, { url: '/v1/customers', where: { email: input.email } }),
  ),

  route('GET', '/v1/customers/:id', {}, async (call, _input, id) => (await look(call, 'customer', id)).body),

  route('POST', '/v1/customers/:id', fields, async (call, input, id) => {
    const { invoice_settings: settings, metadata: added, preferred_locales: locales, ...plain } = input;
    const card = settings?.default_payment_method;
    // Cards are locked before their customer everywhere, so that no two requests wait for each other.
    const method =
      card == null
        ? null
        : await take(call, 'payment_method', card, { param: 'invoice_settings[default_payment_method]' });
    const customer = await take(call, 'customer', id, { param: 'id', status: 404 });
    if (method !== null && method.body.customer !== id) throw foreignMethod(method.id);
    for (const [name, value] of Object.entries(plain))
      if (value !== undefined) Object.assign(customer.body, { [name]: value });
    if (locales !== undefined) customer.body.preferred_locales = locales;
    if (added !== undefined) customer.body.metadata = mergeMetadata(customer.body.metadata, added);
    if (card !== undefined) customer.body.invoice_settings.default_payment_method = card;
    save(call, customer);
    tell(call, 'customer.updated', customer);
    return customer.body;
  }),

  route('DELETE', '/v1/customers/:id', {}, async (call, _input, id) => {
    for (const { id: methodId } of await methodsOf(call, id))
      await detach(call, await take(call, 'payment_method', methodId));
    const customer = await take(call, 'customer', id, { param: 'id', status: 404 });
    const gone = { id, object: 'customer', deleted: true } as const;
    tell(call, 'customer.deleted', customer);
    saveDeleted(call, customer, gone);
    return gone;
  }),
];

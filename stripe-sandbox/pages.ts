import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { endOnboarding, onboardingOutcomes } from './accounts.ts';
import { ApiError } from './api-error.ts';
import { expiryOf } from './expiry.ts';
import { decodeForm } from './form.ts';
import { html, pageOf, slashHash, slashScript, styleHash, type Html } from './page.ts';
import { declineInWords, pageWords, type Language } from './page-words.ts';
import { addCard, cardOf, checkCard } from './payment-methods.ts';
import { answerHolder, takeIntent } from './payment-moves.ts';
import { returnAddressName } from './protocol.ts';
import { answerSetup, confirmSetup, requireOpen } from './setup-intents.ts';
import { idOf, save, secondsOf, take, type Call, type SandboxObject } from './objects.ts';

/** Runs work in a transaction of its own. */
type Within = <T>(work: (call: Call) => Promise<T>) => Promise<T>;

/** Where a person goes next, or what they see. */
type Outcome = { to: string } | { title: string; content: Html; status?: number; leadsTo?: string | null };

const postLimitBytes = 10_000;

/**
 * The pages of the sandbox, each reached by a secret that only the person concerned has been given: a card's
 * details, the bank's question to its holder, a driver's papers. Their addresses begin where the plugin is
 * registered.
 */
export function pagesFor(within: Within): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: postLimitBytes },
      (_request, body, done) => done(null, body),
    );
    const hidden = { schema: { hide: true } };
    const serve = (
      path: string,
      show: (call: Call, secret: string, language: Language) => Promise<Outcome>,
      act: (call: Call, secret: string, language: Language, form: Form) => Promise<Outcome>,
    ) => {
      for (const method of ['GET', 'POST'] as const)
        app.route({
          method,
          url: path,
          ...hidden,
          handler: async (request, reply) => {
            const language = languageOf(request);
            const { secret } = secretParams.parse(request.params);
            const outcome = await within((call) =>
              method === 'GET'
                ? show(call, secret, language)
                : act(call, secret, language, formOf(request.body)),
            ).catch((error: unknown) => {
              if (error instanceof ApiError) return gone(language);
              throw error;
            });
            return send(reply, language, outcome);
          },
        });
    };
    serve('/card/:secret', showCard, saveCard);
    serve('/confirm/:secret', showConfirm, answerConfirm);
    serve('/onboarding/:secret', showOnboarding, answerOnboarding);
  };
}

const secretParams = z.object({ secret: z.string() });
const languageQuery = z.object({ lang: z.unknown().optional() });

type Form = Readonly<Record<string, string>>;

function formOf(body: unknown): Form {
  try {
    const fields = Object.entries(decodeForm(typeof body === 'string' ? body : ''));
    return Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    );
  } catch {
    return {};
  }
}

function languageOf(request: FastifyRequest): Language {
  const { lang } = languageQuery.parse(request.query);
  if (lang === 'zh' || lang === 'en') return lang;
  return /^\s*zh\b/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en';
}

function send(reply: FastifyReply, language: Language, outcome: Outcome): FastifyReply {
  void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  if ('to' in outcome) return reply.redirect(outcome.to, 303);
  // A form's answer may lead back to the app, which browsers count as a place the form goes to.
  const origin = outcome.leadsTo == null ? '' : ` ${new URL(outcome.leadsTo).origin}`;
  return reply
    .code(outcome.status ?? 200)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src '${styleHash}'; script-src '${slashHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'${origin}`,
    )
    .type('text/html; charset=utf-8')
    .send(pageOf(language, outcome.title, outcome.content));
}

const gone = (language: Language): Outcome => {
  const words = pageWords[language];
  return { title: words.goneTitle, content: html`<p>${words.gone}</p>`, status: 410 };
};

const never = (): ApiError => new ApiError(404, 'invalid_request_error', 'No such page.');

/** The intent a client secret belongs to, locked. @throws ApiError when there is none. */
async function intentOf(
  call: Call,
  secret: string,
): Promise<SandboxObject<'setup_intent'> | SandboxObject<'payment_intent'>> {
  const id = secret.split('_secret_')[0] ?? '';
  const intent = id.startsWith('seti_') ? await take(call, 'setup_intent', id) : await takeIntent(call, id);
  if (intent.body.client_secret !== secret) throw never();
  return intent;
}

async function setupOf(call: Call, secret: string): Promise<SandboxObject<'setup_intent'>> {
  const intent = await intentOf(call, secret);
  if (intent.kind !== 'setup_intent') throw never();
  return intent;
}

const returnOf = (intent: SandboxObject<'setup_intent'> | SandboxObject<'payment_intent'>): string | null =>
  intent.hidden.returnUrl ?? intent.body.metadata?.[returnAddressName] ?? null;

/** The app's address with what Stripe adds to it. */
function withResult(
  intent: SandboxObject<'setup_intent'> | SandboxObject<'payment_intent'>,
  status: string,
): string {
  const to = returnOf(intent);
  if (to === null) throw never();
  const url = new URL(to);
  url.searchParams.set(intent.kind, intent.id);
  url.searchParams.set(`${intent.kind}_client_secret`, intent.body.client_secret ?? '');
  url.searchParams.set('redirect_status', status);
  return url.href;
}

async function showCard(call: Call, secret: string, language: Language): Promise<Outcome> {
  const intent = await setupOf(call, secret);
  requireOpen(intent.body, 'confirm');
  return cardPage(intent, language);
}

function cardPage(
  intent: SandboxObject<'setup_intent'>,
  language: Language,
  { error = '', form = {} }: { error?: string; form?: Form } = {},
): Outcome {
  const words = pageWords[language];
  const kept = (name: string) => form[name] ?? '';
  const examples: [string, string][] = [
    ['4242 4242 4242 4242', words.cardWorks],
    ['4000 0027 6000 3184', words.cardAsks],
    ['4000 0000 0000 0002', words.cardDeclined],
    ['4000 0000 0000 9995', words.cardInsufficient],
    ['4000 0000 0000 0341', words.cardFailsLater],
    ['4000 0000 0000 0259', words.cardDisputed],
    ['4000 0000 0000 5423', words.cardWarned],
  ];
  const back = returnOf(intent) ?? '';
  const wrong = error === '' ? html`` : html`<p class="wrong" role="alert" id="wrong">${error}</p>`;
  const described = error === '' ? html`` : html` aria-describedby="wrong" aria-invalid="true"`;
  return {
    title: words.cardTitle,
    status: error === '' ? 200 : 402,
    leadsTo: returnOf(intent),
    content: html`<p>${words.cardIntro}</p>
      <form method="post" action="?lang=${language}">
        ${wrong}
        <label
          >${words.number}<input
            name="number"
            value="${kept('number')}"
            inputmode="numeric"
            autocomplete="cc-number"
            maxlength="23"
            required${described}
        /></label>
        <div class="row">
          <label
            >${words.expiry}<input
              name="expiry"
              value="${kept('expiry')}"
              inputmode="numeric"
              placeholder="12/34"
              autocomplete="cc-exp"
              maxlength="9"
              required
          /></label>
          <label
            >${words.cvc}<input
              name="cvc"
              value="${kept('cvc')}"
              inputmode="numeric"
              placeholder="123"
              autocomplete="cc-csc"
              maxlength="4"
              required
          /></label>
        </div>
        <button type="submit">${words.saveCard}</button>
      </form>
      ${slashScript} ${back === '' ? html`` : html`<a href="${back}">${words.back}</a>`}
      <h2>${words.testCards}</h2>
      <ul>
        ${examples.map(([number, what]) => html`<li><code>${number}</code> ${what}</li>`)}
      </ul>`,
  };
}

async function saveCard(call: Call, secret: string, language: Language, form: Form): Promise<Outcome> {
  const intent = await setupOf(call, secret);
  requireOpen(intent.body, 'confirm');
  const expiry = expiryOf(form['expiry'] ?? '');
  if (expiry === null) return cardPage(intent, language, { error: pageWords[language].expiryWrong, form });
  const refused = (error: ApiError) =>
    cardPage(intent, language, {
      error: declineInWords(language, {
        message: error.message,
        code: String(error.fields['code']),
        declineCode: String(error.fields['decline_code']),
      }),
      form,
    });
  let checked: ReturnType<typeof checkCard>;
  try {
    checked = checkCard(call, {
      number: form['number'] ?? '',
      exp_month: expiry.month,
      exp_year: expiry.year,
      cvc: form['cvc'] ?? '',
    });
  } catch (error) {
    if (error instanceof ApiError) return refused(error);
    throw error;
  }
  intent.body.payment_method = addCard(call, ...checked).id;
  const answer = await confirmSetup(call, intent, returnOf(intent) ?? undefined);
  if (answer instanceof ApiError) return refused(answer);
  const asks = intent.body.next_action?.redirect_to_url?.url;
  if (asks != null) return { to: `${asks}?lang=${language}` };
  return { to: withResult(intent, 'succeeded') };
}

async function showConfirm(call: Call, secret: string, language: Language): Promise<Outcome> {
  const intent = await intentOf(call, secret);
  if (intent.body.status !== 'requires_action') throw never();
  const method = await take(call, 'payment_method', idOf(intent.body.payment_method) ?? '');
  const words = pageWords[language];
  const last4 = cardOf(method)?.number.slice(-4) ?? '';
  const amount =
    intent.kind === 'payment_intent'
      ? new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en-US', {
          style: 'currency',
          currency: 'USD',
        }).format(intent.body.amount / 100)
      : '';
  const what = (intent.kind === 'payment_intent' ? words.confirmPayment : words.confirmCard)
    .replace('{last4}', last4)
    .replace('{amount}', amount);
  return {
    title: words.confirmTitle,
    leadsTo: returnOf(intent),
    content: html`<p>${what}</p>
      <form method="post" action="?lang=${language}">
        <button type="submit" name="answer" value="yes">${words.confirmYes}</button>
        <button type="submit" name="answer" value="no" class="plain">${words.confirmNo}</button>
      </form>`,
  };
}

async function answerConfirm(call: Call, secret: string, language: Language, form: Form): Promise<Outcome> {
  const intent = await intentOf(call, secret);
  if (intent.body.status !== 'requires_action') throw never();
  if (form['answer'] !== 'yes' && form['answer'] !== 'no') return showConfirm(call, secret, language);
  const isConfirmed = form['answer'] === 'yes';
  if (intent.kind === 'payment_intent') await answerHolder(call, intent, isConfirmed);
  else await answerSetup(call, intent, isConfirmed);
  const isDone = ['succeeded', 'requires_capture'].includes(intent.body.status);
  return { to: withResult(intent, isDone ? 'succeeded' : 'failed') };
}

async function linkOf(
  call: Call,
  id: string,
): Promise<{ link: SandboxObject<'account_link'>; account: SandboxObject<'account'>; isOver: boolean }> {
  const link = await take(call, 'account_link', id);
  return {
    link,
    account: await take(call, 'account', link.hidden.forAccount ?? ''),
    isOver: link.hidden.isUsed === true || link.body.expires_at <= secondsOf(call.now),
  };
}

async function showOnboarding(call: Call, id: string, language: Language): Promise<Outcome> {
  const { link, isOver } = await linkOf(call, id);
  if (isOver) return { to: link.hidden.refreshUrl! };
  const words = pageWords[language];
  const buttons = onboardingOutcomes.map(
    (outcome, position) =>
      html`<button
        type="submit"
        name="outcome"
        value="${outcome}"
        ${position === 0 ? html`` : html` class="plain"`}
      >
        ${words[outcome]}
      </button>`,
  );
  return {
    title: words.onboardingTitle,
    leadsTo: link.hidden.returnUrl ?? null,
    content: html`<p>${words.onboardingIntro}</p>
      <form method="post" action="?lang=${language}">${buttons}</form>
      <a href="${link.hidden.returnUrl!}">${words.back}</a>`,
  };
}

async function answerOnboarding(call: Call, id: string, language: Language, form: Form): Promise<Outcome> {
  const { link, account, isOver } = await linkOf(call, id);
  if (isOver) return { to: link.hidden.refreshUrl! };
  const outcome = onboardingOutcomes.find((each) => each === form['outcome']);
  if (outcome === undefined) return showOnboarding(call, id, language);
  link.hidden = { ...link.hidden, isUsed: true };
  save(call, link);
  await endOnboarding(call, account, outcome);
  return { to: link.hidden.returnUrl! };
}

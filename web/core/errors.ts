import { money } from '#contract/formats/amounts.ts';
import { currentLanguage, i18n } from './i18n.ts';

/** The server understood and said no: `code` is the answer's code, `reason` its stable dotted word. */
export class Refused extends Error {
  override name = 'Refused';
  readonly code: number;
  readonly reason: string;
  readonly info: string;
  /**
   * Why each field was refused, keyed by its dotted path in the request; empty where no field is to blame.
   */
  readonly fields: Record<string, string>;
  readonly data: Record<string, unknown>;

  constructor(answer: { code: number; info: string; reason?: string | undefined; data?: unknown }) {
    super(answer.info);
    this.code = answer.code;
    this.reason = answer.reason ?? '';
    this.info = answer.info;
    this.data =
      typeof answer.data === 'object' && answer.data !== null ? (answer.data as Record<string, unknown>) : {};
    const { fields } = this.data;
    this.fields =
      typeof fields === 'object' && fields !== null
        ? Object.fromEntries(Object.entries(fields).map(([path, why]) => [path, String(why)]))
        : {};
  }
}

/** An HTTP status other than 200, with the short plain text of its body. */
export class ServerTrouble extends Error {
  override name = 'ServerTrouble';
  readonly status: number;

  constructor(status: number, body: string) {
    super(body);
    this.status = status;
  }
}

/** Nothing came back: no connection, or no answer within the time-out. */
export class Offline extends Error {
  override name = 'Offline';
  readonly timedOut: boolean;

  constructor(timedOut: boolean) {
    super(timedOut ? 'The call timed out.' : 'There is no connection.');
    this.timedOut = timedOut;
  }
}

/**
 * Figures a refusal's sentence may name: cents as money, lists joined; `amountCents` also serves
 * `{{amount}}`. A single number is also `count`, by which a language chooses its plural.
 */
function figuresOf(data: Record<string, unknown>): Record<string, string | number> {
  const figures: Record<string, string | number> = {};
  const counts = Object.entries(data).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && !entry[0].endsWith('Cents'),
  );
  const [alone] = counts;
  if (counts.length === 1 && alone !== undefined) figures['count'] = alone[1];
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'number' && name.endsWith('Cents')) {
      figures[name.slice(0, -'Cents'.length)] = money(value, currentLanguage());
    } else if (Array.isArray(value)) figures[name] = value.join(', ');
    else if (typeof value === 'string' || typeof value === 'number') figures[name] = String(value);
  }
  return figures;
}

/** The texts of refusals in rarely used parts are with those parts' other texts. */
const namespaces: Readonly<Record<string, string>> = {
  admin: 'admin',
  factor: 'security',
  key: 'connect',
  webhook: 'connect',
  directory: 'connect',
};
const namespaceOf = (reason: string): string => namespaces[reason.split('.')[0] ?? ''] ?? 'reasons';

/** What went wrong in the person's language: by `reason` where it has words, else the server's own prose. */
export function errorWords(error: unknown): string {
  if (error instanceof Refused) {
    if (error.reason === '') return error.info;
    const [refused] = Object.values(error.fields);
    // Shown where no field is marked, so it has to name what is wrong by itself.
    if (error.reason === 'input.invalid' && refused !== undefined) return fieldWords(refused);
    const words = i18n.t(`${namespaceOf(error.reason)}:${error.reason}`, {
      ...figuresOf(error.data),
      defaultValue: error.info,
    });
    return words.includes('{{') ? error.info : words;
  }
  if (error instanceof Offline) return i18n.t(error.timedOut ? 'trouble.timeout' : 'trouble.offline');
  if (error instanceof ServerTrouble && error.message !== '') return error.message;
  return i18n.t('trouble.server');
}

/**
 * A field's refusal in the person's language. The contract's sentences are English; those without words
 * become a plain hint.
 */
export function fieldWords(sentence: string): string {
  const bundle: unknown = i18n.getResourceBundle(currentLanguage(), 'sentences');
  const known = typeof bundle === 'object' && bundle !== null ? (bundle as Record<string, unknown>) : {};
  const exact = known[sentence];
  if (typeof exact === 'string') return exact;
  // A limit's figure comes from the contract: its sentence is in the catalog once, whatever the figure.
  const figure = /\d+/.exec(sentence)?.[0];
  const general = figure === undefined ? undefined : known[sentence.replace(figure, '{{count}}')];
  if (figure !== undefined && typeof general === 'string') return general.replace('{{count}}', figure);
  return currentLanguage() === 'en' && sentence.startsWith('Please')
    ? sentence
    : i18n.t('reasons:input.field');
}

/**
 * Why each field was refused, in the person's language. A refusal with a reason of its own ("this e-mail is
 * taken") says it better at its one field than the plain hint that an unknown sentence becomes.
 */
export function fieldReasons(refused: Refused): [path: string, words: string][] {
  const entries = Object.entries(refused.fields);
  const reasoned = entries.length === 1 && refused.reason !== '' && refused.reason !== 'input.invalid';
  return entries.map(([path, why]) => [path, reasoned ? errorWords(refused) : fieldWords(why)]);
}

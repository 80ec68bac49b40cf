import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { readOutbox } from '#contract/demo/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { copyText } from '../../core/copy.ts';
import { trustedTypesPolicy } from '../../core/trusted.ts';
import { useLayoutEffect, useRef, useState } from 'react';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

export type SentEmail = OutputOf<typeof readOutbox>['letters'][number];

/** One email; the code in it is prominent and can be copied. */
export function EmailCard({ email }: { email: SentEmail }) {
  const { t } = useTranslation('demo');
  const format = useFormat();
  const [drawn, setDrawn] = useState(false);
  const code = /\b\d{6}\b/.exec(email.text)?.[0];
  const copy = async (digits: string) => {
    if (await copyText(digits)) toast.done(t('outbox.copied'));
    else toast.error(t('outbox.copyFailed'));
  };
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <h2 className="text-lead break-words">{email.subject}</h2>
        <p className="flex flex-wrap justify-between gap-x-3 text-small text-ink-3">
          <span className="min-w-0 break-all">{t('outbox.to', { to: email.to })}</span>
          <time dateTime={email.at}>{format.relative(email.at)}</time>
        </p>
        {code !== undefined && (
          <div className="flex items-center justify-between gap-3 rounded-control bg-page py-2 pr-2 pl-4">
            <output aria-label={t('outbox.code')} className="figures text-heading tracking-widest select-all">
              {code}
            </output>
            <Button
              tone="quiet"
              small
              icon={<Copy aria-hidden className="size-5" />}
              onClick={() => void copy(code)}
            >
              {t('outbox.copy')}
            </Button>
          </div>
        )}
        {drawn && email.page !== null ? (
          // Nothing in the frame can run or load: this page only displays it.
          <EmailFrame title={email.subject} html={email.page} />
        ) : (
          <p className="text-body break-words whitespace-pre-line text-ink-2">
            <WithLinks text={email.text.trim()} />
          </p>
        )}
        {email.page !== null && (
          <TextButton onClick={() => setDrawn(!drawn)}>
            {t(drawn ? 'outbox.asText' : 'outbox.asLetter')}
          </TextButton>
        )}
      </article>
    </Card>
  );
}

/** For HTML in a frame without scripts. */
const emails = trustedTypesPolicy('sameway-emails', { createHTML: (html) => html });

function EmailFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const draw = () => frame.current !== null && drawIn(frame.current, html);
  // Some browsers create the frame's empty page at once, others a little later.
  useLayoutEffect(() => void draw());
  return (
    <iframe
      ref={frame}
      sandbox="allow-same-origin"
      onLoad={draw}
      title={title}
      className="h-[480px] w-full rounded-control border border-line"
    />
  );
}

/**
 * Draws an email in an empty frame. Mail apps need styles in the HTML, which this page's policy refuses, so
 * they are set one by one. Quotation marks in the text of an email are always escaped.
 */
function drawIn(frame: HTMLIFrameElement, html: string): void {
  const page = frame.contentDocument;
  if (page === null) return;
  const unstyled = html.replaceAll(' style="', ' data-style="');
  const parsed = new DOMParser().parseFromString(emails?.createHTML?.(unstyled) ?? unstyled, 'text/html');
  page.replaceChild(page.importNode(parsed.documentElement, true), page.documentElement);
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style'] ?? '';
}

/**
 * Addresses in an email can be followed. This app's own lead to where it is open now, whatever name it goes
 * by.
 */
function WithLinks({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) => {
    if (index % 2 === 0 || !URL.canParse(part)) return part;
    const { hostname, pathname, search } = new URL(part);
    const own = hostname === location.hostname || hostname === 'localhost';
    return (
      // The same address may stand in an email twice.
      // oxlint-disable-next-line react/no-array-index-key
      <a key={index} href={own ? pathname + search : part} className="break-all text-brand-ink underline">
        {part}
      </a>
    );
  });
}

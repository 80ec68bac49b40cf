import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listNews, readNews, type NewsLine } from '#contract/notifications/endpoints.ts';
import { currentLanguage } from '../../core/i18n.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { useAction, usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { EmptyState, List, RowContent, rowVariants } from '../../ui/surfaces.tsx';
import { newsIcon } from './news-icon.ts';

/**
 * Everything that has happened, newest first; each line opens its page, and holds its answer where it asks
 * for one.
 */
export function NewsList({
  answer,
}: {
  /** Draws the question of a line, so that notifications need not know how a ride is answered. */
  answer: (line: NewsLine) => ReactNode;
}) {
  const { t } = useTranslation('notifications');
  const news = usePaginatedCall(
    listNews,
    { language: currentLanguage() },
    { items: (answer) => answer.news, total: (answer) => answer.total },
  );
  const read = useAction(readNews, { invalidates: ['/notification/'] });
  return (
    <QueryView
      query={news}
      failed={t('failed')}
      skeleton={{ rows: 6 }}
      empty={<NoNews />}
      isEmpty={({ items }) => items.length === 0}
    >
      {({ items }) => (
        <div className="flex flex-col gap-4">
          {items.some((line) => !line.read) && (
            <div className="flex justify-end">
              <Button tone="quiet" small busy={read.busy} onClick={() => read.run({ all: true })}>
                {t('readAll')}
              </Button>
            </div>
          )}
          <List label={t('list')}>
            {items.map((line) => (
              <Line key={line.id} line={line} onOpen={() => line.read || read.run({ ids: [line.id] })}>
                {answer(line)}
              </Line>
            ))}
          </List>
          <LoadMore pages={news} />
        </div>
      )}
    </QueryView>
  );
}

function NoNews() {
  const { t } = useTranslation('notifications');
  return (
    <EmptyState
      icon={<BellRing />}
      title={t('none')}
      text={t('noneText')}
      action={
        <Link to="/pages/order/order" className={buttonVariants({ small: true })}>
          {t('noneAction')}
        </Link>
      }
    />
  );
}

function Line({ line, onOpen, children }: { line: NewsLine; onOpen: () => void; children: ReactNode }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const Icon = newsIcon[line.kind];
  // The address is made by the server, so the router's types cannot know it.
  const { pathname, searchParams } = new URL(line.path, location.origin);
  return (
    <li>
      <Link to={pathname} search={Object.fromEntries(searchParams)} className={rowVariants} onClick={onOpen}>
        <RowContent
          leading={<Icon aria-hidden className={line.read ? 'text-ink-3' : 'text-brand-ink'} />}
          title={
            <span className={line.read ? 'text-ink-2' : 'font-semibold'}>
              {line.title}
              {!line.read && (
                <>
                  {' '}
                  <span
                    aria-hidden
                    className="ml-1 inline-block size-2 rounded-full bg-danger align-middle"
                  />
                  <span className="sr-only">{t('new')}</span>
                </>
              )}
            </span>
          }
          detail={
            <>
              {line.text !== '' && <span className="block break-words">{line.text}</span>}
              <time dateTime={line.at}>{format.relative(line.at)}</time>
            </>
          }
          chevron
        />
      </Link>
      {line.answer !== null && <div className="px-4 pb-3 pl-13">{children}</div>}
    </li>
  );
}

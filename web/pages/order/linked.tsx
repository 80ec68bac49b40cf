import { Link, useNavigate } from '@tanstack/react-router';
import { Link2Off } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { lookAtLink, openLink, type LinkedOrder } from '#contract/rides/share-links.ts';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { useAction, useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useSession } from '../../core/use-session.ts';
import { useFormat } from '../../core/use-format.ts';
import { PlacesLines } from '../../domain/place/places-lines.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Rating } from '../../ui/people.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';

/** A ride or request that a person has sent the link to: what a stranger may see of it, and the way in. */
export function Page() {
  const { t } = useTranslation('recurring');
  const title = usePageTitle();
  const { code = '' } = usePageSearch('/pages/order/linked');
  const link = useCall(lookAtLink, { code }, { enabled: code !== '', quiet: true, refetchInterval: 60_000 });
  if (link.data) return <Linked order={link.data} code={code} />;
  return (
    <PageLayout title={title} back>
      <QueryView
        query={link}
        skeleton={{ kind: 'detail' }}
        isMissing={code === ''}
        missing={<EmptyState icon={<Link2Off />} title={t('linked.none')} text={t('linked.noneText')} />}
      >
        {() => null}
      </QueryView>
    </PageLayout>
  );
}

function Linked({ order, code }: { order: LinkedOrder; code: string }) {
  const { t } = useTranslation(['recurring', 'rides', 'common']);
  const title = usePageTitle();
  const format = useFormat();
  const { role, person, price, seats, timeZone, earliestAt, latestAt } = order;
  const isRide = role === 'driver';
  const until = latestAt === earliestAt ? undefined : latestAt;
  const priceWords =
    price.cents === null
      ? t('recurring:linked.openOffer')
      : price.cents === 0
        ? t('recurring:linked.free')
        : `${format.money(price.cents)} ${t(`recurring:linked.${price.kind}`)}`;
  const seatWords = !isRide
    ? t('recurring:linked.seatsNeeded', { count: seats })
    : seats === 0
      ? t('recurring:linked.full')
      : t('recurring:linked.seatsFree', { count: seats });
  return (
    <PageLayout title={title} back action={<WayIn role={role} code={code} />}>
      <Card className="flex flex-col gap-4">
        <div className="flex flex-col gap-1">
          <h2 className="text-heading">
            {t(isRide ? 'recurring:linked.offers' : 'recurring:linked.looks', { name: person.shortName })}
          </h2>
          <Rating
            stars={person.rating}
            count={person.ratingCount}
            label={t('rides:person.rating', {
              stars: person.rating?.toFixed(1) ?? '',
              count: person.ratingCount,
            })}
            none={t('rides:person.new')}
          />
        </div>
        <PlacesLines from={order.from} to={order.to} timeZone={timeZone} big />
        <p className="text-small text-ink-3">{t('recurring:linked.approximate')}</p>
        <dl className="flex flex-col gap-2 border-t border-line pt-4">
          <Fact label={t('recurring:linked.when')} value={format.when(earliestAt, timeZone, until)} />
          <Fact label={t('recurring:linked.seats')} value={seatWords} />
          <Fact label={t('recurring:linked.price')} value={priceWords} />
        </dl>
      </Card>
      <p className="text-center text-small text-ink-3">{t('recurring:linked.what')}</p>
    </PageLayout>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-body text-ink-2">{label}</dt>
      <dd className="figures text-right text-body font-semibold">{value}</dd>
    </div>
  );
}

/** Signed in, the ride itself, where one asks to join; else signing in, and back here. */
function WayIn({ role, code }: { role: LinkedOrder['role']; code: string }) {
  const { t } = useTranslation('recurring');
  const navigate = useNavigate();
  const { signedIn, user } = useSession();
  const open = useAction(openLink, {
    invalidates: ['/order/'],
    onDone: ({ id }) => void navigate({ to: '/pages/order/detail', search: { id }, replace: true }),
  });
  const isRide = role === 'driver';
  if (!signedIn || user.profileMissing) {
    return (
      <Link
        to={signedIn ? '/pages/auth/profile' : '/pages/auth/auth'}
        search={{ returnTo: `/pages/order/linked?code=${code}` }}
        className={buttonVariants({ full: true })}
      >
        {t(isRide ? 'linked.signIn' : 'linked.signInDriver')}
      </Link>
    );
  }
  return (
    <Button full busy={open.busy} onClick={() => open.run({ code })}>
      {t(isRide ? 'linked.join' : 'linked.invite')}
    </Button>
  );
}

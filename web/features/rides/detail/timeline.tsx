import { useTranslation } from 'react-i18next';
import { orderTimeline } from '#contract/rides/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { BookingMove, RequestMove, RideMove } from '#contract/rides/moves.ts';
import type { Order } from '#contract/rides/views.ts';
import { useCall } from '../../../core/queries.ts';
import { PartView } from '../../../core/query-view.tsx';
import { useFormat } from '../../../core/use-format.ts';
import { classes } from '../../../ui/classes.ts';
import { Card, Section } from '../../../ui/surfaces.tsx';
import { useReasonText } from './ended-words.ts';

type Entry = OutputOf<typeof orderTimeline>['entries'][number];

/**
 * The line of each move; null for what only follows from one that has a line, as a request that is now
 * "requesting".
 */
const told = {
  'ride.publish': 'ridePublished',
  'ride.update': 'rideUpdated',
  'ride.fill': 'rideFull',
  'ride.reopen': 'rideReopened',
  'ride.gather': 'rideGathered',
  'ride.reach': 'rideReached',
  'ride.depart': 'rideDeparted',
  'ride.arrive': 'rideArrived',
  'ride.endEmpty': 'rideEndedEmpty',
  'ride.cancel': 'rideCancelled',
  'ride.breakOff': 'rideBrokenOff',
  'ride.expire': 'rideExpired',
  'ride.ungather': null,
  'ride.approach': null,
  'ride.carryOn': null,
  'ride.conclude': null,
  'request.publish': 'requestPublished',
  'request.update': 'requestUpdated',
  'request.rematch': 'requestRematched',
  'request.cancel': 'requestCancelled',
  'request.expire': 'requestExpired',
  'request.asked': null,
  'request.invited': null,
  'request.unanswered': null,
  'request.join': null,
  'request.reconfirm': null,
  'request.finish': null,
  'request.miss': null,
  'request.boardLate': null,
  'request.lapse': null,
  'booking.ask': 'asked',
  'booking.invite': 'invited',
  'booking.offer': 'seatOffered',
  'booking.joinAtOnce': 'joinedAtOnce',
  'booking.accept': 'accepted',
  'booking.acceptInvitation': 'invitationAccepted',
  'booking.agree': 'agreed',
  'booking.pay': 'paid',
  'booking.holdFailed': 'holdFailed',
  'booking.secureAnew': 'securedAnew',
  'booking.reject': 'rejected',
  'booking.declineInvitation': 'declined',
  'booking.withdraw': 'withdrawn',
  'booking.withdrawInvitation': 'invitationWithdrawn',
  'booking.expire': 'askExpired',
  'booking.cancel': 'placeCancelled',
  'booking.reach': 'reached',
  'booking.meet': 'met',
  'booking.undoMeet': 'meetingUndone',
  'booking.board': 'boarded',
  'booking.noShow': 'noShow',
  'booking.reportDriver': 'driverReported',
  'booking.meetLate': 'metLate',
  'booking.boardLate': 'boardedLate',
  'booking.dropOff': 'droppedOff',
  'booking.breakOff': 'brokenOff',
  'booking.agreeRidden': 'agreedRidden',
  'booking.leaveOpen': 'leftOpen',
  'booking.gather': null,
} as const satisfies Record<Told, string | null>;
type Told = `ride.${RideMove | 'update'}` | `request.${RequestMove | 'update'}` | `booking.${BookingMove}`;
type TellingMove = { [K in Told]: (typeof told)[K] extends null ? never : K }[Told];
const isTold = (key: string): key is TellingMove => Object.hasOwn(told, key) && told[key as Told] !== null;

/** What happened to a ride or request: what, when, by whom; the latest last. */
export function Timeline({ order }: { order: Order }) {
  const { t } = useTranslation('rides');
  const timeline = useCall(orderTimeline, { id: order.id }, { quiet: true });
  return (
    <PartView query={timeline} failed={t('timeline.failed')}>
      {(shown) => {
        const entries = shown.entries.filter(({ thing, move }) => isTold(`${thing}.${move}`));
        if (entries.length === 0) return null;
        return (
          <Section title={t('timeline.title')}>
            <Card>
              <ol className="flex flex-col">
                {entries.map((entry, index) => (
                  <TimelineLine
                    key={`${entry.at} ${entry.thing} ${entry.move} ${entry.passengerName}`}
                    entry={entry}
                    timeZone={order.timeZone}
                    last={index === entries.length - 1}
                  />
                ))}
              </ol>
            </Card>
          </Section>
        );
      }}
    </PartView>
  );
}

/** What has proved that a passenger is on board; null where both sides just said so. */
const boardedBy = ({ thing, move, note }: Entry): 'pin' | 'code' | 'together' | null =>
  thing === 'booking' && move === 'board' && (note === 'pin' || note === 'code' || note === 'together')
    ? note
    : null;

/** How a driver has shown that they were at a place (`server/features/trips/rules/being-there.ts`). */
function useEvidenceWords(): (note: string) => string {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (note) => {
    if (note === 'position') return t('timeline.evidence.position');
    const [, metres, reason = note] = /^hand(?: (\d+))?: (.*)$/s.exec(note) ?? [];
    if (reason === '') return t('timeline.evidence.word');
    return metres === undefined
      ? t('timeline.evidence.hand', { reason })
      : t('timeline.evidence.handFar', { reason, distance: format.distance(Number(metres)) });
  };
}

/** One line of what happened; null where it is not worth one. */
export function useTimelineWords(): (entry: Entry) => string | null {
  const { t } = useTranslation('rides');
  return (entry) => {
    const key = `${entry.thing}.${entry.move}`;
    if (!isTold(key)) return null;
    const passenger = entry.passengerName;
    const proof = boardedBy(entry);
    if (proof !== null) return t(`timeline.boardedBy.${proof}`, { passenger });
    const actor = entry.actor === 'admin' ? t('timeline.team') : entry.actorName;
    return key === 'booking.cancel' && (entry.actor === 'driver' || entry.actor === 'admin')
      ? t('timeline.placeCancelledByDriver', { actor, passenger })
      : t(`timeline.${told[key]}`, { actor: actor || passenger, passenger });
  };
}

function TimelineLine({ entry, timeZone, last }: { entry: Entry; timeZone: string; last: boolean }) {
  const format = useFormat();
  const reasonText = useReasonText();
  const evidenceWords = useEvidenceWords();
  const words = useTimelineWords()(entry);
  if (words === null) return null;
  return (
    <li className={classes('relative flex gap-3', !last && 'pb-4')}>
      {!last && <span aria-hidden className="absolute top-3 -bottom-2 left-[5px] w-0.5 bg-line" />}
      <span
        aria-hidden
        className={classes(
          'relative mt-1.5 size-3 shrink-0 rounded-full border-2 border-surface ring-2',
          last ? 'bg-brand ring-brand' : 'bg-line-2 ring-line-2',
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="text-body break-words">{words}</p>
        {entry.note !== '' && boardedBy(entry) === null && (
          <p className="text-small break-words text-ink-2">
            {entry.move === 'reach' ? evidenceWords(entry.note) : reasonText(entry.note)}
          </p>
        )}
        <time dateTime={entry.at} className="figures text-small text-ink-3">
          {format.when(entry.at, timeZone)}
        </time>
      </div>
    </li>
  );
}

import { ImageOff, MapPin } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/chat/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { classes } from '../../ui/classes.ts';
import { keptPicture } from './kept-pictures.ts';
import type { Outgoing } from './outbox.ts';

/** A picture in a bubble keeps its room before it is there, so that nothing jumps. */
const frame = 'block w-60 max-w-full rounded-[14px] bg-ink/8 object-cover';
const tallest = 1.35;
const shapeOf = ({ width, height }: { width: number; height: number }) => ({
  aspectRatio: `${width} / ${Math.min(height, width * tallest)}`,
});

/** A place in one bubble: its name, what is around it, and a sign that it opens. */
export function PlaceWords({ place, light }: { place: Place; light: boolean }) {
  return (
    <span className="flex items-start gap-2.5 py-1">
      <span
        className={classes(
          'grid size-9 shrink-0 place-items-center rounded-full',
          light ? 'bg-white/15' : 'bg-brand-soft text-brand-ink',
        )}
      >
        <MapPin aria-hidden className="size-5" />
      </span>
      <span className="min-w-0">
        <span className="block font-semibold break-words">{place.name}</span>
        {place.detail !== '' && (
          <span className={classes('block text-small break-words', light ? 'text-white/75' : 'text-ink-3')}>
            {place.detail}
          </span>
        )}
      </span>
    </span>
  );
}

/** What a message says: words, a picture or a place. */
export function MessageContent({
  message,
  mine,
  name,
  onStale,
}: {
  message: Message;
  mine: boolean;
  /** Whose picture it is. */
  name: string;
  /** The address of the picture has ended. */
  onStale: () => void;
}) {
  const { t } = useTranslation('chat');
  const { kind, text, picture, place } = message;
  if (kind === 'place' && place !== null) return <PlaceWords place={place} light={mine} />;
  if (kind === 'picture' && picture !== null) {
    return (
      <img
        src={picture.url}
        alt={t('pictureOf', { name })}
        loading="lazy"
        className={frame}
        style={shapeOf(picture)}
        onError={onStale}
      />
    );
  }
  if (kind === 'text') return <span className="block break-words whitespace-pre-wrap">{text}</span>;
  return (
    <span className="flex items-center gap-2 py-1 italic">
      <ImageOff aria-hidden className="size-5 shrink-0" />
      {t(kind === 'picture' ? 'pictureGone' : 'placeGone')}
    </span>
  );
}

/** The same for a message that has not been sent yet; its picture is still in this browser. */
export function Waiting({ outgoing }: { outgoing: Outgoing }) {
  const { t } = useTranslation('chat');
  const { clientId, text, place, picture } = outgoing;
  const [address, setAddress] = useState('');
  const hasPicture = picture !== null;
  useEffect(() => {
    if (!hasPicture) return undefined;
    let made = '';
    let gone = false;
    void keptPicture(clientId).then((blob) => {
      if (blob === null || gone) return;
      made = URL.createObjectURL(blob);
      setAddress(made);
    });
    return () => {
      gone = true;
      if (made !== '') URL.revokeObjectURL(made);
    };
  }, [clientId, hasPicture]);
  if (place !== null) return <PlaceWords place={place} light />;
  if (picture === null) return <span className="block break-words whitespace-pre-wrap">{text}</span>;
  return address === '' ? (
    <span className={frame} style={shapeOf(picture)} />
  ) : (
    <img
      src={address}
      alt={t('pictureOf', { name: t('me') })}
      className={frame}
      style={shapeOf(picture)}
      // A HEIC photo that this browser cannot open is shown once the server has it.
      onError={() => setAddress('')}
    />
  );
}

import { Minus, Plus } from 'lucide-react';
import type * as maplibre from 'maplibre-gl';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../core/config.ts';
import { currentLanguage } from '../core/i18n.ts';
import { IconButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { useDesktop } from '../ui/media.ts';
import { useCovered } from '../ui/sheet.tsx';
import { drawRoutes, leaveEngine, takeEngine, type Engine, type MapSources } from './engine.ts';
import { coverView } from './cover.ts';
import { middleAbovePx, ownMarker, pinMarker } from './pin-marker.ts';
import { spread } from './spread.ts';
import { boundsOf, type Bounds, type LonLat, type MapViewProps } from './shapes.ts';

const moveMs = 240;
const edgePx = 56;
/** A pin stands on its point and rises this far above it. */
const pinPx = 46;
/** What floats over the top of a phone's map screen, and a pin. */
const topPx = 70 + pinPx;
/** Pins whose centers are this far apart can all be tapped. */
const pinApartPx = 40;
const closestZoom = 15.5;
/** Around a single place its neighborhood shows. */
const aroundPlaceZoom = 14;
/** A town and its neighbors. */
const regionZoom = 12;
const nowhere: [number, number] = [0, 0];

const isBounds = (fit: readonly LonLat[] | Bounds): fit is Bounds => typeof fit[0] === 'number';

/** The drawing itself; `MapView` loads it. */
export function MapCanvas(props: MapViewProps) {
  const { data: config, isError } = useConfig();
  // Without a configuration there are still pins and ways to show.
  if (!config && !isError) return null;
  const sources: MapSources = {
    tilesUrl: config?.tilesUrl ?? null,
    packs: config?.region.packs ?? [],
    language: currentLanguage(),
  };
  return (
    <Canvas
      key={JSON.stringify(sources)}
      {...props}
      sources={sources}
      region={config?.region.center ?? null}
    />
  );
}

function Canvas({
  label,
  still = false,
  center,
  zoom,
  fit,
  routes,
  pins,
  own,
  onPick,
  onPin,
  sources,
  region,
}: MapViewProps & { sources: MapSources; region: [number, number] | null }) {
  const { t } = useTranslation();
  const desktop = useDesktop();
  const covered = useCovered();
  const movedByHandRef = useRef(false);
  // Before all else, so that whatever moves the map tells the newest of them.
  const [pick, pin] = [useNewest(onPick), useNewest(onPin)];
  const { host, engine, drawing, widthPx } = useEngine(sources, region, movedByHandRef);
  useEffect(() => {
    engine?.map.getCanvas().setAttribute('aria-label', label);
  }, [engine, label]);

  useEffect(() => {
    if (!engine) return;
    engine.map.setPadding({ top: 0, left: 0, right: 0, bottom: covered });
  }, [engine, covered]);

  const pack = sources.packs[0]?.bounds ?? null;
  useView(engine, movedByHandRef, { fit, center, zoom, region, pack, covered, widthPx });

  useEffect(() => {
    if (engine && drawing) drawRoutes(engine.map, routes ?? []);
  }, [engine, drawing, routes]);

  usePins(engine, pins, pin, onPin !== undefined);
  useOwnMarker(engine, own);
  const picking = onPick !== undefined;
  usePick(engine, pick, picking);
  return (
    <div className="absolute inset-0 overflow-hidden bg-[#f1f2ee]">
      <div ref={host} className="absolute inset-0" />
      {picking && <CenterPin covered={covered} words={t('map.pick')} />}
      {!still && engine && <ZoomButtons map={engine.map} aboveSheetPx={desktop ? null : covered} />}
      <p
        className="absolute right-0 rounded-tl-small bg-white/80 px-1.5 text-[0.6875rem] leading-4 text-ink-2"
        style={{ bottom: covered === 0 ? 0 : covered + 4 }}
      >
        {t('map.attribution')}
      </p>
    </div>
  );
}

/** The engine in its place while this map is shown; the tiles are ready once it draws. */
function useEngine(sources: MapSources, region: [number, number] | null, movedByHandRef: RefObject<boolean>) {
  const host = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<Engine | null>(null);
  const [drawing, setDrawing] = useState(false);
  const [widthPx, setWidthPx] = useState(0);

  useEffect(() => {
    const home = host.current;
    if (!home) return undefined;
    const taken = takeEngine(sources, { center: region ?? nowhere, zoom: regionZoom });
    home.append(taken.element);
    taken.map.resize();
    setEngine(taken);
    setWidthPx(home.clientWidth);
    let here = true;
    void taken.ready.then(() => here && setDrawing(true));
    const watch = new ResizeObserver(() => {
      taken.map.resize();
      setWidthPx(home.clientWidth);
    });
    watch.observe(home);
    const note = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent !== undefined) movedByHandRef.current = true;
    };
    taken.map.on('movestart', note);
    return () => {
      here = false;
      watch.disconnect();
      taken.map.off('movestart', note);
      drawRoutes(taken.map, []);
      leaveEngine(taken);
      setEngine(null);
      setDrawing(false);
    };
    // The region and its tiles do not change while the app runs.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return { host, engine, drawing, widthPx };
}

/** Looks at what is to be seen, and again when that or the space for it changes. */
function useView(
  engine: Engine | null,
  movedByHandRef: RefObject<boolean>,
  {
    fit,
    center,
    zoom,
    region,
    pack,
    covered,
    widthPx,
  }: Pick<MapViewProps, 'fit' | 'center' | 'zoom'> & {
    region: LonLat | null;
    pack: Bounds | null;
    covered: number;
    widthPx: number;
  },
): void {
  const fitKey = JSON.stringify([fit ?? null, center ?? null, zoom ?? null]);
  const looked = useRef<{ fitKey: string; covered: number; widthPx: number } | null>(null);
  useEffect(() => {
    if (!engine) return;
    const before = looked.current;
    const isSameView = before?.fitKey === fitKey;
    const isSameSheet = before?.covered === covered;
    if (isSameView && isSameSheet && before.widthPx === widthPx) return;
    looked.current = { fitKey, covered, widthPx };
    // A sheet that only changes its height must not pull the map away from where a person has moved it, nor
    // must a phone that is turned.
    if (isSameView && (!fit || (isSameSheet && movedByHandRef.current))) return;
    movedByHandRef.current = false;
    const bottom = covered;
    look(engine.map, { fit: fit ?? null, center, zoom, region, pack, bottom, animate: before !== null });
  }, [engine, fitKey, covered, widthPx, fit, center, zoom, region, pack, movedByHandRef]);
}

/** The value of the last render, for effects that must not run again because a function is another one. */
function useNewest<T>(value: T): RefObject<T> {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

function usePins(
  engine: Engine | null,
  pins: MapViewProps['pins'],
  onPin: RefObject<MapViewProps['onPin']>,
  clickable: boolean,
): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (!engine || !pins) return undefined;
    const markers = pins.map((each) =>
      pinMarker(
        each,
        t(`map.${each.kind}`, { label: each.label }),
        !clickable ? null : () => onPin.current?.(each.id),
      ).addTo(engine.map),
    );
    if (!clickable) return () => markers.forEach((marker) => marker.remove());
    // Pins that are buttons must be tapped one by one: those that would cover each other stand a little
    // apart.
    const apart = () => {
      const points = pins.map(({ lon, lat, kind }) => {
        const { x, y } = engine.map.project([lon, lat]);
        return { x, y: y - middleAbovePx(kind) };
      });
      for (const [index, { x, y }] of spread(points, pinApartPx).entries())
        markers[index]?.setOffset([x - (points[index]?.x ?? x), y - (points[index]?.y ?? y)]);
    };
    apart();
    engine.map.on('zoomend', apart);
    return () => {
      engine.map.off('zoomend', apart);
      for (const marker of markers) marker.remove();
    };
  }, [engine, pins, onPin, clickable, t]);
}

function useOwnMarker(engine: Engine | null, own: MapViewProps['own']): void {
  const { t } = useTranslation();
  const [ownLon, ownLat] = own ?? [null, null];
  useEffect(() => {
    if (!engine || ownLon === null || ownLat === null) return undefined;
    const marker = ownMarker([ownLon, ownLat], t('map.here')).addTo(engine.map);
    return () => {
      marker.remove();
    };
  }, [engine, ownLon, ownLat, t]);
}

/** Tells where the middle of the map is whenever it has moved. */
function usePick(engine: Engine | null, onPick: RefObject<MapViewProps['onPick']>, picking: boolean): void {
  useEffect(() => {
    if (!engine || !picking) return undefined;
    const { map } = engine;
    const tell = () => {
      const { lng, lat } = map.getCenter();
      onPick.current?.([lng, lat]);
    };
    map.on('moveend', tell);
    return () => {
      map.off('moveend', tell);
    };
  }, [engine, onPick, picking]);
}

/** At the top right of a desktop; on a phone above the sheet, within reach of the thumb. */
function ZoomButtons({ map, aboveSheetPx }: { map: maplibre.Map; aboveSheetPx: number | null }) {
  const { t } = useTranslation();
  return (
    <div
      className={classes('absolute flex flex-col gap-2', aboveSheetPx === null ? 'top-4 right-4' : 'left-3')}
      style={aboveSheetPx === null ? undefined : { bottom: aboveSheetPx + 12 }}
    >
      <IconButton floating label={t('map.zoomIn')} icon={<Plus aria-hidden />} onClick={() => map.zoomIn()} />
      <IconButton
        floating
        label={t('map.zoomOut')}
        icon={<Minus aria-hidden />}
        onClick={() => map.zoomOut()}
      />
    </div>
  );
}

function look(
  map: maplibre.Map,
  view: {
    fit: readonly LonLat[] | Bounds | null;
    center: LonLat | undefined;
    zoom: number | undefined;
    region: LonLat | null;
    pack: Bounds | null;
    bottom: number;
    animate: boolean;
  },
): void {
  const duration = view.animate && !matchMedia('(prefers-reduced-motion: reduce)').matches ? moveMs : 0;
  const wanted = view.fit === null || view.fit.length === 0 ? null : view.fit;
  const bounds = wanted === null ? null : isBounds(wanted) ? wanted : boundsOf(wanted);
  if (bounds === null) {
    const center = view.center ?? view.region;
    if (!center) return;
    if (!view.center && view.zoom === undefined && view.pack !== null) {
      const { clientWidth: widthPx, clientHeight } = map.getContainer();
      // A sheet pushes the middle up by half of its height; what it covers may be uncovered.
      const abovePx = (clientHeight - view.bottom) / 2;
      const first = coverView(view.pack, center, { widthPx, abovePx, belowPx: clientHeight - abovePx });
      map.easeTo({ center: [first.center[0], first.center[1]], zoom: first.zoom, duration });
      return;
    }
    const zoom = view.zoom ?? (view.center ? 14 : regionZoom);
    map.easeTo({ center: [center[0], center[1]], zoom, duration });
    return;
  }
  const [west, south, east, north] = bounds;
  // A small picture of a way keeps most of its height for the way.
  const edge = Math.min(edgePx, map.getContainer().clientHeight * 0.2);
  // `fitBounds` adds the sheet's padding, already set on the map, to this edge by itself.
  map.fitBounds([west, south, east, north], {
    padding: { top: view.bottom > 0 ? topPx : Math.max(edge, pinPx), bottom: edge, left: edge, right: edge },
    duration,
    maxZoom: west === east && south === north ? aroundPlaceZoom : closestZoom,
  });
}

/** Stands in the middle of what is visible of the map; the map moves under it. */
function CenterPin({ covered, words }: { covered: number; words: string }) {
  return (
    <div
      className="pointer-events-none absolute inset-x-0 top-0 grid place-items-center"
      style={{ bottom: covered }}
    >
      <svg
        role="img"
        aria-label={words}
        width="40"
        height="50"
        viewBox="0 0 34 43"
        className="-translate-y-1/2 drop-shadow-md"
      >
        <path
          d="M17 41 C17 41 31 26 31 16 A14 14 0 1 0 3 16 C3 26 17 41 17 41 Z"
          fill="#1f2430"
          stroke="#fff"
          strokeWidth="2"
        />
        <circle cx="17" cy="16" r="5" fill="#59bc6b" />
      </svg>
    </div>
  );
}

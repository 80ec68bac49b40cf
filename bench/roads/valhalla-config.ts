/** Valhalla's two ways of answering a table of travel times; the second is the one it would choose itself. */
export const valhallaAlgorithms = ['timedistancematrix', 'costmatrix'] as const;
export type ValhallaAlgorithm = (typeof valhallaAlgorithms)[number];

const logging = { type: '', color: false, file_name: '' };
const upTransitions = { max_up_transitions: { '1': 400, '2': 100 } };

/** Where the tiles are and how they are read. */
const tiles = (tileFolder: string) => ({
  max_cache_size: 1_000_000_000,
  id_table_size: 1_300_000_000,
  tile_dir: tileFolder,
  tile_extract: '',
  traffic_extract: '',
  admin: '',
  landmarks: '',
  timezone: '',
  transit_dir: '',
  transit_feeds_dir: '',
  concurrency: 1,
  hierarchy: true,
  shortcuts: true,
  include_driveways: true,
  include_driving: true,
  include_bicycle: true,
  include_pedestrian: true,
  reclassify_links: true,
  max_concurrent_reader_users: 1,
  data_processing: {
    infer_internal_intersections: true,
    infer_turn_channels: true,
    apply_country_overrides: true,
    grid_divisions_within_tile: 32,
    use_admin_db: false,
  },
  logging,
});

/** The rules by which a place is brought onto a road. */
const snapping = {
  actions: ['locate', 'route', 'sources_to_targets', 'status'],
  use_connectivity: true,
  service_defaults: {
    radius: 0,
    minimum_reachability: 50,
    search_cutoff: 35_000,
    node_snap_tolerance: 5,
    street_side_tolerance: 5,
    street_side_max_distance: 1_000,
    heading_tolerance: 60,
  },
  logging: { ...logging, long_request: 1e9 },
  service: { proxy: 'ipc:///tmp/loki' },
};

/** The search for routes. */
const search = (algorithm: ValhallaAlgorithm) => ({
  source_to_target_algorithm: algorithm,
  max_reserved_labels_count_astar: 2_000_000,
  max_reserved_labels_count_bidir_astar: 1_000_000,
  max_reserved_labels_count_dijkstras: 4_000_000,
  max_reserved_labels_count_bidir_dijkstras: 2_000_000,
  clear_reserved_memory: false,
  extended_search: false,
  costmatrix: {
    check_reverse_connection: true,
    allow_second_pass: false,
    max_reserved_locations: 25,
    max_iterations: 2_800,
    min_iterations: 100,
    hierarchy_limits: upTransitions,
  },
  bidirectional_astar: {
    threshold_delta: 420,
    alternative_cost_extend: 1.2,
    alternative_iterations_delta: 100_000,
    hierarchy_limits: { ...upTransitions, expand_within_distance: { '0': 1e8, '1': 20_000, '2': 5_000 } },
  },
  unidirectional_astar: {
    hierarchy_limits: {
      ...upTransitions,
      expand_within_distance: { '0': 1e8, '1': 100_000, '2': 5_000 },
    },
  },
  logging: { ...logging, long_request: 1e9 },
  service: { proxy: 'ipc:///tmp/thor' },
});

/** Matching of traces, which is not asked for. */
const tracing = {
  mode: 'auto',
  customizable: [],
  verbose: false,
  default: {
    sigma_z: 4.07,
    gps_accuracy: 5,
    beta: 3,
    max_route_distance_factor: 5,
    max_route_time_factor: 5,
    max_search_radius: 100,
    breakage_distance: 2_000,
    interpolation_distance: 10,
    search_radius: 50,
    geometry: false,
    route: true,
    turn_penalty_factor: 0,
  },
  logging,
  service: { proxy: 'ipc:///tmp/meili' },
  grid: { size: 500, cache_size: 100_240 },
};

/** How much may be asked at once. */
const limits = {
  ...Object.fromEntries(
    [
      'auto',
      'bus',
      'taxi',
      'truck',
      'pedestrian',
      'motor_scooter',
      'motorcycle',
      'bicycle',
      'multimodal',
      'transit',
      'bikeshare',
    ].map((costing) => [
      costing,
      {
        max_distance: 5_000_000,
        max_locations: 1_000,
        max_matrix_distance: 5_000_000,
        max_matrix_location_pairs: 100_000,
        min_transit_walking_distance: 1,
        max_transit_walking_distance: 10_000,
      },
    ]),
  ),
  skadi: { max_shape: 750_000, min_resample: 10 },
  isochrone: {
    max_contours: 4,
    max_time_contour: 120,
    max_distance: 25_000,
    max_locations: 1,
    max_distance_contour: 200,
  },
  trace: {
    max_distance: 200_000,
    max_gps_accuracy: 100,
    max_search_radius: 100,
    max_shape: 16_000,
    max_alternates: 3,
    max_alternates_shape: 100,
  },
  status: { allow_verbose: false },
  centroid: { max_distance: 200_000, max_locations: 5 },
  max_exclude_locations: 50,
  max_reachability: 100,
  max_radius: 200,
  max_timedep_distance: 500_000,
  max_timedep_distance_matrix: 0,
  max_alternates: 2,
  max_exclude_polygons_length: 10_000,
  max_distance_disable_hierarchy_culling: 0,
  hierarchy_limits: {
    allow_modification: false,
    costmatrix: { max_allowed_up_transitions: { '1': 400, '2': 100 } },
    unidirectional_astar: {
      max_allowed_up_transitions: { '1': 400, '2': 100 },
      max_expand_within_distance: { '0': 1e8, '1': 100_000, '2': 5_000 },
    },
    bidirectional_astar: {
      max_allowed_up_transitions: { '1': 400, '2': 100 },
      max_expand_within_distance: { '0': 1e8, '1': 20_000, '2': 5_000 },
    },
  },
  allow_hard_exclusions: false,
};

/**
 * The default output of `valhalla_build_config` 3.6, as far as an in-process car matrix reads it, with the
 * limits raised to what is asked here and without time zones, admins and traffic, which no extract brings
 * along.
 */
export function valhallaConfig(tileFolder: string, algorithm: ValhallaAlgorithm): Record<string, unknown> {
  return {
    mjolnir: tiles(tileFolder),
    additional_data: { elevation: '' },
    loki: snapping,
    thor: search(algorithm),
    odin: { logging, service: { proxy: 'ipc:///tmp/odin' }, markup_formatter: { markup_enabled: false } },
    meili: tracing,
    service_limits: limits,
    statsd: { port: 8125, prefix: 'valhalla' },
  };
}

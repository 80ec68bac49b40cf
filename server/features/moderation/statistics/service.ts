import { addUp, type StatisticsContext } from './add-up.ts';
import { readStatistics } from './read-statistics.ts';

export type StatisticsService = ReturnType<typeof createStatistics>;

/** Figures of the installation by day, added up as time passes (decision 0075). */
export const createStatistics = (context: StatisticsContext) => ({
  read: readStatistics.bind(null, context),
  addUp: addUp.bind(null, context),
});

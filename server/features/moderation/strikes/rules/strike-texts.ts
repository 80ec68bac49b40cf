import type { StrikeFigures } from './verdict.ts';

/** Why a driver is suspended, as their email says it. */
export const suspensionReason = (
  language: 'en' | 'zh',
  strikes: number,
  { withinHours, months }: StrikeFigures,
): string =>
  language === 'zh'
    ? `${months} 个月内，您有 ${strikes} 次在已有乘客加入的情况下，于出发前 ${withinHours} 小时内取消行程或未到。`
    : `Within ${months} ${months === 1 ? 'month' : 'months'} you have canceled ${strikes} ${strikes === 1 ? 'ride' : 'rides'} less than ${withinHours} hours before departure, or did not come, although somebody had joined.`;

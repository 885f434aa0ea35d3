import type { Forecast } from '#features/usage/server/forecast.ts'
import { type UsageAlertMessage, sendUsageAlert } from '#features/alerts/server/usage-alert.mail.ts'
import type { MessageSample } from './render-messages.ts'

const today = Temporal.PlainDate.from('2026-11-25')
const cycleEndDate = Temporal.PlainDate.from('2026-12-12')
const dataRunOutDate = Temporal.PlainDate.from('2026-12-03')
const createForecast = (verdict: Forecast['verdict']): Forecast => ({
  paceMb: 1_400,
  verdict,
  spareMb: 500,
  runsOutOn: dataRunOutDate,
  daysEarly: 9,
})

const alert = (name: string, change: Partial<UsageAlertMessage>): MessageSample => ({
  name,
  by: sendUsageAlert,
  write: ({ trx, deps, service }) =>
    sendUsageAlert(trx, deps, {
      service,
      threshold: 80,
      channel: 'both',
      percent: 82,
      totalMb: 25_000,
      leftMb: 4_449,
      cycleStartsAt: Temporal.Instant.from('2026-11-11T11:00:00Z'),
      endsOn: cycleEndDate,
      isRenewing: true,
      today,
      extraDataCents: 400,
      forecast: null,
      premise: 'sample',
      ...change,
    }),
})

export const usageMessageSamples: readonly MessageSample[] = [
  alert('half of the data used', { threshold: 50, percent: 50, leftMb: 12_500 }),
  alert('most of the data used', {}),
  alert('most of the data used, which runs out early', { forecast: createForecast('runs-out') }),
  alert('most of the data used, which may run out', { forecast: createForecast('may-run-out') }),
  alert('most of the data used, which lasts', { forecast: createForecast('lasts') }),
  alert('most of the data used, early in the cycle', { forecast: createForecast(null) }),
  alert('most of the data used, nothing more to buy', { extraDataCents: null }),
  alert('most of the data used, the plan expires', { isRenewing: false, totalMb: 500, leftMb: 99, percent: 80 }),
  alert('all of the data used', { threshold: 100, percent: 100, leftMb: 0 }),
  alert('all of the data used, nothing more to buy', {
    threshold: 100,
    percent: 100,
    leftMb: 0,
    extraDataCents: null,
    isRenewing: false,
  }),
]

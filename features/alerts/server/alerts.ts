import type { Market } from '#kit/contract/bootstrap.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { invalid } from '#kit/server/refusal.ts'
import {
  type AlertChannel,
  alertMessages,
  type Alerts,
  type AlertsView,
  type UsageAlert,
  usageAlerts,
} from '../alerts.contract.ts'
import type { AlertsDeps, KnownAlerts } from './alerts.deps.ts'
import { findChosen, saveChosen, savePlanEndChannel } from './alerts.store.ts'
import { watchFrom } from './watch.store.ts'

type Threshold = { percent: number; channel: AlertChannel }

const ofAll: Threshold = { percent: 100, channel: 'both' }
const ofHalf: Threshold = { percent: 50, channel: 'off' }

/**
 * Default thresholds and channels of each market. Australia's thresholds are those of its industry code for postpaid
 * services.
 */
const marketThresholds: Record<Market['code'], Record<UsageAlert, Threshold>> = {
  NZ: { half: ofHalf, most: { percent: 80, channel: 'text' }, all: ofAll },
  AU: { half: ofHalf, most: { percent: 85, channel: 'text' }, all: ofAll },
}

export function presentAlerts(
  { market }: Pick<AlertsDeps, 'market'>,
  { chosen, planEnd, isRenewing }: KnownAlerts,
): AlertsView {
  const { half, most, all } = marketThresholds[market.code]
  return {
    half: chosen.get(half.percent) ?? half.channel,
    most: chosen.get(most.percent) ?? most.channel,
    all: chosen.get(all.percent) ?? all.channel,
    before_end: isRenewing ? planEnd : 'both',
    percents: { half: half.percent, most: most.percent, all: all.percent },
    end_fixed: !isRenewing,
  }
}

/**
 * Saves a customer's choices, and schedules a usage query, because a new threshold may have been reached.
 * @throws 400 when the end of a plan without renewal would not be announced by both channels
 */
export async function chooseAlerts(deps: AlertsDeps, serviceId: string, chosen: Alerts): Promise<void> {
  const { db, clock, market, renewingOf } = deps
  const isRenewing = (await renewingOf([serviceId])).has(serviceId)
  if (!isRenewing && chosen.before_end !== 'both') throw invalid({ before_end: [alertMessages.endFixed] })
  const thresholds = marketThresholds[market.code]
  await transact(db, async (trx) => {
    await saveChosen(trx, serviceId, new Map(usageAlerts.map((name) => [thresholds[name].percent, chosen[name]])))
    // A fixed channel was not chosen, so the earlier choice applies again when auto-renewal is switched on.
    if (isRenewing) await savePlanEndChannel(trx, serviceId, chosen.before_end)
    await watchFrom(trx, serviceId, clock.now())
  })
}

export async function thresholdsOf(
  db: Db | Trx,
  market: Pick<Market, 'code'>,
  serviceId: string,
): Promise<Map<number, Exclude<AlertChannel, 'off'>>> {
  const chosen = await findChosen(db, serviceId)
  return new Map(
    Object.values(marketThresholds[market.code]).flatMap(({ percent, channel: usual }) => {
      const channel = chosen.get(percent) ?? usual
      return channel === 'off' ? [] : [[percent, channel] as const]
    }),
  )
}

/**
 * The first usage query of a cycle, within its first day. Each service has its own time, because all plans begin at
 * midnight.
 */
export const firstLookAt = (cycleStartsAt: Temporal.Instant, serviceId: string): Temporal.Instant =>
  cycleStartsAt.add({ minutes: 60 + Math.floor((23 * 60 * Number.parseInt(serviceId.slice(0, 4), 16)) / 0x1_00_00) })

import type { Market } from '#kit/contract/bootstrap.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { badRequest } from '#kit/server/http-error.ts'
import {
  type AlertChannel,
  alertMessages,
  type AlertSettings,
  type AlertsView,
  type UsageAlert,
  usageAlerts,
} from '../alerts.contract.ts'
import type { AlertsDeps, StoredAlerts } from './alerts.deps.ts'
import { findAlertChannels, saveAlertChannels, savePlanEndChannel } from './alerts.store.ts'
import { scheduleUsagePoll } from './watch.store.ts'

type ThresholdDefault = { percent: number; channel: AlertChannel }

const allDataThreshold: ThresholdDefault = { percent: 100, channel: 'both' }
const halfDataThreshold: ThresholdDefault = { percent: 50, channel: 'off' }

/**
 * Default usage thresholds and alert channels in each market. Australia's thresholds follow its industry code for
 * postpaid services.
 */
const defaultThresholds: Record<Market['code'], Record<UsageAlert, ThresholdDefault>> = {
  NZ: { half: halfDataThreshold, most: { percent: 80, channel: 'text' }, all: allDataThreshold },
  AU: { half: halfDataThreshold, most: { percent: 85, channel: 'text' }, all: allDataThreshold },
}

export function presentAlerts(
  { market }: Pick<AlertsDeps, 'market'>,
  { chosen, planEnd, isRenewing }: StoredAlerts,
): AlertsView {
  const { half, most, all } = defaultThresholds[market.code]
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
 * Saves a customer's alert settings and schedules a usage check, because usage may already be above a newly chosen
 * threshold.
 * @throws 400 when `before_end` is not `both` although auto-renewal is off
 */
export async function saveAlertChoices(deps: AlertsDeps, serviceId: string, chosen: AlertSettings): Promise<void> {
  const { db, clock, market, renewingOf } = deps
  const isRenewingService = (await renewingOf([serviceId])).has(serviceId)
  if (!isRenewingService && chosen.before_end !== 'both') throw badRequest({ before_end: [alertMessages.endFixed] })
  const thresholds = defaultThresholds[market.code]
  await transact(db, async (trx) => {
    await saveAlertChannels(
      trx,
      serviceId,
      new Map(usageAlerts.map((name) => [thresholds[name].percent, chosen[name]])),
    )
    // While auto-renewal is off, the channel is fixed to `both`. Keep the customer's own choice for when they switch auto-renewal back on.
    if (isRenewingService) await savePlanEndChannel(trx, serviceId, chosen.before_end)
    await scheduleUsagePoll(trx, serviceId, clock.now())
  })
}

export async function findActiveThresholds(
  db: Db | Trx,
  market: Pick<Market, 'code'>,
  serviceId: string,
): Promise<Map<number, Exclude<AlertChannel, 'off'>>> {
  const savedChannels = await findAlertChannels(db, serviceId)
  return new Map(
    Object.values(defaultThresholds[market.code]).flatMap(({ percent, channel: defaultChannel }) => {
      const channel = savedChannels.get(percent) ?? defaultChannel
      return channel === 'off' ? [] : [[percent, channel] as const]
    }),
  )
}

/**
 * Returns the time of a cycle's first usage check, 1 to 24 hours after the cycle starts. Most cycles start at midnight, so the checks
 * are spread over the day by service id.
 */
export const getFirstPollTime = (cycleStartsAt: Temporal.Instant, serviceId: string): Temporal.Instant =>
  cycleStartsAt.add({ minutes: 60 + Math.floor((23 * 60 * Number.parseInt(serviceId.slice(0, 4), 16)) / 0x1_00_00) })

import { alertPremiseOf } from '#features/alerts/server/reached.ts'
import { premiseOf } from '#features/auto-renewal/server/premise.ts'
import type { AboutMessage } from '#features/messages/server/messages.store.ts'
import { isPremiseOfPort, premiseOfLatestPort } from '#features/porting/server/port-premise.ts'
import type { Deps } from './deps.ts'

/** What a message about a service rests on now: its transfer, the use of its data, or else its plan and what happens to it next. */
export function premiseOfMessage(
  trx: Parameters<Deps['premiseOf']>[0],
  deps: Deps,
  { serviceId, now, about }: { serviceId: string; now: Temporal.Instant; about: AboutMessage | undefined },
): Promise<string | null> {
  if (about?.kind === 'usage-alert') return alertPremiseOf(trx, deps, serviceId)
  if (about?.premise && isPremiseOfPort(about.premise)) return premiseOfLatestPort(trx, deps, serviceId, now)
  return premiseOf(trx, deps, serviceId, now)
}

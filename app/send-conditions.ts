import { findAlertSendCondition } from '#features/alerts/server/usage-poll.ts'
import { findSendConditions } from '#features/auto-renewal/server/send-condition.ts'
import type { ConditionSubject } from '#features/messages/server/messages.store.ts'
import { checkTasksCondition, isTasksCondition } from '#features/operator-tasks/server/tasks-condition.ts'
import { isPortSendCondition, buildLatestPortSendCondition } from '#features/porting/server/port-send-condition.ts'
import type { Deps } from './deps.ts'

/** Returns send conditions in the order of `messages`. They are read together, because thousands of messages can be due in one night. */
export async function determineSendConditions(
  db: Parameters<Deps['readSendConditions']>[0],
  deps: Deps,
  { messages, now }: { messages: readonly ConditionSubject[]; now: Temporal.Instant },
): Promise<(string | null)[]> {
  const services = new Set(
    messages.flatMap((message) => (message.serviceId && isPlanMessage(message) ? message.serviceId : [])),
  )
  const plans = services.size > 0 ? await findSendConditions(db, deps, [...services], now) : new Map<string, string>()
  const sendConditions: (string | null)[] = []
  for (const { serviceId, kind, premise } of messages)
    if (premise && isTasksCondition(premise)) sendConditions.push(await checkTasksCondition(db, premise))
    else if (serviceId === null) sendConditions.push(null)
    else if (isPlanMessage({ kind, premise })) sendConditions.push(plans.get(serviceId) ?? null)
    else if (kind === 'usage-alert') sendConditions.push(await findAlertSendCondition(db, deps, serviceId))
    else sendConditions.push(await buildLatestPortSendCondition(db, deps, serviceId, now))
  return sendConditions
}

const isPlanMessage = ({ kind, premise }: Pick<ConditionSubject, 'kind' | 'premise'>): boolean =>
  kind !== 'usage-alert' && !(premise && isPortSendCondition(premise))

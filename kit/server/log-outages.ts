import { createFailureLog } from './failure-log.ts'
import type { Log } from './log.ts'
import { type HearCall, type OutsideCall, outsideServices } from './outside-calls.ts'

export function logOutages(log: Log, remindMs: number): HearCall {
  const nameOf = (name: string): string => outsideServices[name as keyof typeof outsideServices]
  const causeOf = (cause: unknown): object => {
    const { operation, outcome, why } = cause as OutsideCall
    return { operation, outcome, why }
  }
  const failures = createFailureLog(
    {
      begins: (service, failing, cause) =>
        log.warn({ service, ...causeOf(cause), ...failing }, `${nameOf(service)} does not answer`),
      goesOn: (service, failing, cause) =>
        log.error({ service, ...causeOf(cause), ...failing }, `${nameOf(service)} still does not answer`),
      ends: (service, failing) => log.info({ service, ...failing }, `${nameOf(service)} answers again`),
    },
    remindMs,
  )
  return (call) => (call.isFailure ? failures.failed(call.service, call) : failures.succeeded(call.service))
}

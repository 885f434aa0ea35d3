import { createFailureLog } from './failure-log.ts'
import type { Log } from './log.ts'
import { type ExternalCallListener, type ExternalCall, externalServices } from './external-calls.ts'

export function logOutages(log: Log, remindMs: number): ExternalCallListener {
  const serviceNameOf = (name: string): string => externalServices[name as keyof typeof externalServices]
  const causeFields = (cause: unknown): object => {
    const { operation, outcome, why } = cause as ExternalCall
    return { operation, outcome, why }
  }
  const failures = createFailureLog(
    {
      begins: (service, failing, cause) =>
        log.warn({ service, ...causeFields(cause), ...failing }, `${serviceNameOf(service)} does not answer`),
      goesOn: (service, failing, cause) =>
        log.error({ service, ...causeFields(cause), ...failing }, `${serviceNameOf(service)} still does not answer`),
      ends: (service, failing) => log.info({ service, ...failing }, `${serviceNameOf(service)} answers again`),
    },
    remindMs,
  )
  return (call) => (call.isFailure ? failures.failed(call.service, call) : failures.succeeded(call.service))
}

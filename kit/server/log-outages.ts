import { createFailureLog } from './failure-log.ts'
import type { Log } from './log.ts'
import { type ExternalCallListener, type ExternalCall, externalServices } from './external-calls.ts'

export function logOutages(log: Log, remindMs: number): ExternalCallListener {
  const getServiceName = (name: string): string => externalServices[name as keyof typeof externalServices]
  const pickCauseFields = (cause: unknown): object => {
    const { operation, outcome, why } = cause as ExternalCall
    return { operation, outcome, why }
  }
  const failureLog = createFailureLog(
    {
      begins: (service, failing, cause) =>
        log.warn({ service, ...pickCauseFields(cause), ...failing }, `${getServiceName(service)} does not answer`),
      goesOn: (service, failing, cause) =>
        log.error(
          { service, ...pickCauseFields(cause), ...failing },
          `${getServiceName(service)} still does not answer`,
        ),
      ends: (service, failing) => log.info({ service, ...failing }, `${getServiceName(service)} answers again`),
    },
    remindMs,
  )
  return (call) => (call.isFailure ? failureLog.failed(call.service, call) : failureLog.succeeded(call.service))
}

import { randomUUID } from 'node:crypto'
import { realNow } from '#kit/server/clock.ts'
import type { ErrorEvent } from '#providers/errors/errors.port.ts'

/**
 * The queue of errors to forward to the error-reporting service. The queue has no table: each process keeps a limited
 * number of its own errors in memory.
 */
export const forwardErrorJobName = 'error-reports.forward'

export type ForwardedErrorPayload = { event: ErrorEvent }

export const createErrorEvent = (): Pick<ErrorEvent, 'id' | 'at'> => ({
  id: randomUUID().replaceAll('-', ''),
  at: realNow().toString({ fractionalSecondDigits: 3 }),
})

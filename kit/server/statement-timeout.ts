const timeoutCodes = /^(?:57014|55P03)$/
const idleTransactionCodes = /^25P0[34]$/
const internalTimeoutCodes = new Set(['STANDBY_AWAY', 'STATEMENT_UNANSWERED'])

export const createStandbyTimeoutError = (): Error =>
  Object.assign(new Error('a commit waits for a standby that does not answer'), { code: 'STANDBY_AWAY' })

export const createNoResponseError = (): Error =>
  Object.assign(new Error('a statement has no answer from the database'), { code: 'STATEMENT_UNANSWERED' })

/**
 * Whether a statement took too long, waited too long for a lock, or lost its transaction because the process was suspended. The server's
 * message is translated, so we check the error's routine instead.
 */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (idleTransactionCodes.test(error.code) || internalTimeoutCodes.has(error.code)) return true
  return timeoutCodes.test(error.code) && 'routine' in error && error.routine === 'ProcessInterrupts'
}

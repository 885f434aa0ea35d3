const waitedTooLong = /^(?:57014|55P03)$/
const stoodStill = /^25P0[34]$/
const ours = new Set(['STANDBY_AWAY', 'STATEMENT_UNANSWERED'])

export const notAtStandby = (): Error =>
  Object.assign(new Error('a commit waits for a standby that does not answer'), { code: 'STANDBY_AWAY' })

export const unanswered = (): Error =>
  Object.assign(new Error('a statement has no answer from the database'), { code: 'STATEMENT_UNANSWERED' })

/**
 * Whether a statement took too long or waited too long for a lock, or a transaction was ended because its process was suspended. The
 * server's message is translated, so the routine in the error decides.
 */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (stoodStill.test(error.code) || ours.has(error.code)) return true
  return waitedTooLong.test(error.code) && 'routine' in error && error.routine === 'ProcessInterrupts'
}

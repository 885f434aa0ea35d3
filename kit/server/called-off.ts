const waitedTooLong = /^(?:57014|55P03)$/
const stoodStill = /^25P0[34]$/
const standbyAway = 'STANDBY_AWAY'

/** Whether what was to be committed will stand is not known: the standby that it waits for does not have it yet. */
export const notAtStandby = (): Error =>
  Object.assign(new Error('a commit waits for a standby that does not answer'), { code: standbyAway })

/**
 * Whether the server has ended a statement because it waited for a lock, or took, longer than we let it, or a transaction because its
 * process stood still. It says so in its own language; the name of its function is the same in all.
 */
export function isCalledOff(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (stoodStill.test(error.code) || error.code === standbyAway) return true
  return waitedTooLong.test(error.code) && 'routine' in error && error.routine === 'ProcessInterrupts'
}

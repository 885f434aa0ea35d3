import {
  requestApproval,
  openDispute,
  type StaffWorkContext,
  createFailedCapture,
  importBadSimFile,
  createUndeliverableMail,
  startWaitingTransfer,
} from './staff-work-steps.ts'

/**
 * Creates cases for the demo's staff to work on. Steps that have succeeded are never repeated; failed steps are retried at the next start.
 */
export async function createStaffWork(world: StaffWorkContext): Promise<void> {
  const attemptStep = (step: (world: StaffWorkContext) => Promise<void>): Promise<void> =>
    step(world).catch((error: unknown) => {
      world.deps.log.warn({ reason: String(error) }, 'a case for the demo’s staff could not be created')
    })
  // Run this step first and on its own: it makes the gateway refuse the next capture, whichever order the capture belongs to.
  await attemptStep(createFailedCapture)
  await Promise.all(
    [requestApproval, openDispute, startWaitingTransfer, createUndeliverableMail, importBadSimFile].map(attemptStep),
  )
}

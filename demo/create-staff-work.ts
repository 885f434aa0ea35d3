import {
  requestApproval,
  openDispute,
  type StaffWorkWorld,
  refuseCapture,
  loadBadFile,
  causeRejectedMail,
  startWaitingTransfer,
} from './staff-work-steps.ts'

/** Creates cases for the demo's staff to work on. A finished step is not repeated, and a failed step is retried at the next start. */
export async function createStaffWork(world: StaffWorkWorld): Promise<void> {
  const attempt = (step: (world: StaffWorkWorld) => Promise<void>): Promise<void> =>
    step(world).catch((error: unknown) => {
      world.deps.log.warn({ reason: String(error) }, 'a case for the demo’s staff could not be created')
    })
  // The refused capture must be created first and alone, because the gateway refuses the next capture of any order.
  await attempt(refuseCapture)
  await Promise.all([requestApproval, openDispute, startWaitingTransfer, causeRejectedMail, loadBadFile].map(attempt))
}

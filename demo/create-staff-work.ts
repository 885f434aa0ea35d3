import {
  requestApproval,
  openDispute,
  type StaffWorkWorld,
  refuseCapture,
  loadBadFile,
  causeRejectedMail,
  startWaitingTransfer,
} from './staff-work-steps.ts'

/** Each step finds its own result at a later start. A failed step is logged and retried at the next start. */
export async function createStaffWork(world: StaffWorkWorld): Promise<void> {
  const attempt = (step: (world: StaffWorkWorld) => Promise<void>): Promise<void> =>
    step(world).catch((error: unknown) => {
      world.deps.log.warn({ reason: String(error) }, 'a piece of the demo’s day could not be made')
    })
  // Runs alone, because the gateway refuses the next capture of any order.
  await attempt(refuseCapture)
  await Promise.all([requestApproval, openDispute, startWaitingTransfer, causeRejectedMail, loadBadFile].map(attempt))
}

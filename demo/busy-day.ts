import {
  asksForApproval,
  bankTakesBack,
  type BusyWorld,
  captureIsRefused,
  loadsBadFile,
  mailIsRefused,
  waitsForReply,
} from './busy-steps.ts'

/**
 * Creates work for the provider's staff, so that the desk has something to show. Customers, gateway, network and staff act as in
 * production.
 * Each step finds its own result at a later start, and requests expired approvals again.
 * A failed step is logged and retried at the next start.
 */
export async function makeBusyDay(world: BusyWorld): Promise<void> {
  const attempt = (step: (world: BusyWorld) => Promise<void>): Promise<void> =>
    step(world).catch((error: unknown) => {
      world.deps.log.warn({ reason: String(error) }, 'a piece of the demo’s day could not be made')
    })
  // Runs alone, because the gateway refuses the next capture of any order.
  await attempt(captureIsRefused)
  await Promise.all([asksForApproval, bankTakesBack, waitsForReply, mailIsRefused, loadsBadFile].map(attempt))
}

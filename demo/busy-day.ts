import {
  asksForApproval,
  bankTakesBack,
  type BusyWorld,
  captureIsRefused,
  loadsBadFile,
  mailIsRefused,
  waitsForReply,
} from './busy-steps.ts'

/** Each step finds its own result at a later start. A failed step is logged and retried at the next start. */
export async function makeBusyDay(world: BusyWorld): Promise<void> {
  const attempt = (step: (world: BusyWorld) => Promise<void>): Promise<void> =>
    step(world).catch((error: unknown) => {
      world.deps.log.warn({ reason: String(error) }, 'a piece of the demo’s day could not be made')
    })
  // Runs alone, because the gateway refuses the next capture of any order.
  await attempt(captureIsRefused)
  await Promise.all([asksForApproval, bankTakesBack, waitsForReply, mailIsRefused, loadsBadFile].map(attempt))
}

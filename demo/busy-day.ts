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
 * What waits for the provider's people on an ordinary day, so that whoever signs in at the desk has something to do. Each piece is done
 * as it is in real life, by customers, gateway, network and staff, and finds itself done at the next start; what has lapsed
 * is asked for anew. One that cannot be made is told in the log and tried again at the next start.
 */
export async function makeBusyDay(world: BusyWorld): Promise<void> {
  const attempt = (step: (world: BusyWorld) => Promise<void>): Promise<void> =>
    step(world).catch((error: unknown) => {
      world.deps.log.warn({ reason: String(error) }, 'a piece of the demo’s day could not be made')
    })
  // By itself: it is the next capture that the gateway refuses.
  await attempt(captureIsRefused)
  await Promise.all([asksForApproval, bankTakesBack, waitsForReply, mailIsRefused, loadsBadFile].map(attempt))
}

import { setTimeout as pause } from 'node:timers/promises'
import { newVisitor } from '#quality/support/visitor.ts'

type AdvanceTimeContext = {
  processes: readonly { url: string }[]
  signal: AbortSignal
  clock: { offsetMs: number; now(): Temporal.Instant }
}

const maxCallMs = 240_000

export async function advanceTime(world: AdvanceTimeContext, hours: number): Promise<void> {
  const target = world.clock.now().add({ hours })
  // Give up waiting if the run is stopped, because a single request to move the clock can take minutes.
  const stopPromise = new Promise<boolean>((resolve) => {
    world.signal.addEventListener('abort', () => resolve(true), { once: true })
  })
  for (let nth = 0; !world.signal.aborted; nth++) {
    const at = world.processes[nth % world.processes.length]
    const advancePromise = at && advanceProcessClock(world, at.url, target).catch(() => false)
    if (!advancePromise || (await Promise.race([advancePromise, stopPromise]))) return
    await pause(300)
  }
}

/**
 * Asks one process to move its clock to the target time. Returns false if the process does not finish, so that the next process carries on.
 */
async function advanceProcessClock(world: AdvanceTimeContext, url: string, target: Temporal.Instant): Promise<boolean> {
  const clockClient = newVisitor(url, '/api/account/', {}, { timeoutMs: maxCallMs })
  const fixturesResponse = await clockClient.get('/demo/api/fixtures/')
  if (fixturesResponse.status !== 200) return false
  take(world, fixturesResponse.body.now)
  const seconds = Math.ceil(target.since(world.clock.now()).total('seconds'))
  if (seconds <= 0) return true
  const { status, body } = await clockClient.post('/demo/api/clock/', { advance: `PT${seconds}S` })
  if (status === 200) take(world, body.now)
  return status === 200
}

const take = ({ clock }: AdvanceTimeContext, now: string): void =>
  void (clock.offsetMs = Temporal.Instant.from(now).epochMilliseconds - Temporal.Now.instant().epochMilliseconds)

import { setTimeout as pause } from 'node:timers/promises'
import { newVisitor } from '#quality/support/visitor.ts'

type TimedWorld = {
  processes: readonly { url: string }[]
  signal: AbortSignal
  clock: { offsetMs: number; now(): Temporal.Instant }
}

const callMs = 240_000

export async function passTime(world: TimedWorld, hours: number): Promise<void> {
  const target = world.clock.now().add({ hours })
  // Whoever stops the run need not wait for the minutes that a call may take.
  const stopped = new Promise<boolean>((resolve) => {
    world.signal.addEventListener('abort', () => resolve(true), { once: true })
  })
  for (let nth = 0; !world.signal.aborted; nth++) {
    const at = world.processes[nth % world.processes.length]
    const passing = at && isPast(world, at.url, target).catch(() => false)
    if (!passing || (await Promise.race([passing, stopped]))) return
    await pause(300)
  }
}

/** Asks one process to pass the rest of the time. False when it did not finish, so that the next process continues. */
async function isPast(world: TimedWorld, url: string, target: Temporal.Instant): Promise<boolean> {
  const passerBy = newVisitor(url, '/api/account/', {}, { timeoutMs: callMs })
  const before = await passerBy.get('/demo/api/fixtures/')
  if (before.status !== 200) return false
  take(world, before.body.now)
  const seconds = Math.ceil(target.since(world.clock.now()).total('seconds'))
  if (seconds <= 0) return true
  const { status, body } = await passerBy.post('/demo/api/clock/', { advance: `PT${seconds}S` })
  if (status === 200) take(world, body.now)
  return status === 200
}

const take = ({ clock }: TimedWorld, now: string): void =>
  void (clock.offsetMs = Temporal.Instant.from(now).epochMilliseconds - Temporal.Now.instant().epochMilliseconds)

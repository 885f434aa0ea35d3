import { setTimeout as delay } from 'node:timers/promises'

/** Asks, ever more slowly, until there is an answer. Null when the time is up; @throws when the signal ends it. */
export async function until<Answer>(
  ask: () => Answer | null | Promise<Answer | null>,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<Answer | null> {
  const end = performance.now() + ms
  for (let wait = 20; ; wait = Math.min(wait * 1.5, 2_000)) {
    const answer = await ask()
    if (answer !== null) return answer
    const left = end - performance.now()
    if (left <= 0) return null
    await delay(Math.min(wait, left), undefined, { signal })
  }
}

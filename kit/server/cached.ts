/**
 * Caches the result of `ask` for a number of milliseconds. Callers that arrive while `ask` is in flight share its result. With 0
 * milliseconds, callers that arrive later cause a new call. A failure is not cached.
 */
export function cached<T>(msOf: () => number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | null = null
  return () => {
    if (kept && performance.now() < kept.until) return kept.answer
    const answer = ask()
    const newEntry = { answer, until: Infinity }
    kept = newEntry
    answer.then(
      () => void (newEntry.until = performance.now() + msOf()),
      () => void (newEntry.until = 0),
    )
    return answer
  }
}

/**
 * Caches the result of `ask` for a number of milliseconds. Callers that arrive while `ask` is in flight share its result. With 0
 * milliseconds only those callers share a result. A failure is not cached.
 */
export function keptFor<T>(msOf: () => number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | null = null
  return () => {
    if (kept && performance.now() < kept.until) return kept.answer
    const answer = ask()
    const mine = { answer, until: Infinity }
    kept = mine
    answer.then(
      () => void (mine.until = performance.now() + msOf()),
      () => void (mine.until = 0),
    )
    return answer
  }
}

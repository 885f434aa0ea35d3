/**
 * Asks at most once in so many milliseconds, and answers everybody with what was heard; who comes while it is asked waits for the same
 * answer. With 0 milliseconds only those share an answer who wait for it. A failure is not kept.
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

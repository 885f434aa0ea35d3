export type Failing = { seconds: number; failures: number }

type Words = {
  begins(name: string, failing: Failing, cause: unknown): void
  goesOn(name: string, failing: Failing, cause: unknown): void
  ends(name: string, failing: Failing): void
}

export type FailureLog = { failed(name: string, cause: unknown): void; succeeded(name: string): void }

type Heard = {
  since: number
  failures: number
  lastFailure: number
  toldAt: number | null
  isFailing: boolean
  isTold: boolean
}

/**
 * Logs repeated failures in few lines: the first failure at once, a reminder every `remindMs`, and the first success after that. For a
 * failure that comes and goes, at most one line in `remindMs` says that it began; failures in between are counted in the next line. Without
 * further tries, no failure ends.
 * @param now monotonic milliseconds
 */
export function createFailureLog(words: Words, remindMs: number, now = (): number => performance.now()): FailureLog {
  const heard = new Map<string, Heard>()
  const failing = ({ since, failures }: Heard): Failing => ({
    seconds: Math.round((now() - since) / 1_000),
    failures,
  })

  function entryOf(name: string): Heard {
    const known = heard.get(name)
    if (known?.isFailing) return known
    // Recent failures that no line has reported are counted with the next ones.
    const isUntold = known !== undefined && !known.isTold && now() - known.lastFailure < remindMs
    const counted = isUntold && known.failures > 0 ? known : { since: now(), failures: 0 }
    const entry: Heard = {
      since: counted.since,
      failures: counted.failures,
      lastFailure: now(),
      toldAt: known?.toldAt ?? null,
      isFailing: true,
      isTold: false,
    }
    heard.set(name, entry)
    return entry
  }

  return {
    failed(name, cause) {
      const entry = entryOf(name)
      entry.failures += 1
      entry.lastFailure = now()
      if (entry.toldAt !== null && now() - entry.toldAt < remindMs) return
      const say = entry.isTold ? words.goesOn : words.begins
      entry.toldAt = now()
      entry.isTold = true
      say(name, failing(entry), cause)
    },
    succeeded(name) {
      const entry = heard.get(name)
      if (!entry?.isFailing) return
      entry.isFailing = false
      if (!entry.isTold) return
      words.ends(name, failing(entry))
      entry.isTold = false
      entry.failures = 0
    },
  }
}

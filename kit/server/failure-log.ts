/** How long something has been failing, and how often. */
export type Failing = { seconds: number; failures: number }

type Words = {
  begins(name: string, failing: Failing, cause: unknown): void
  goesOn(name: string, failing: Failing, cause: unknown): void
  ends(name: string, failing: Failing): void
}

/** Told of each try of whatever has a name. */
export type FailureLog = { failed(name: string, cause: unknown): void; succeeded(name: string): void }

type Heard = {
  since: number
  failures: number
  lastFailure: number
  /** When a line said that it fails; null: none has yet. */
  toldAt: number | null
  isFailing: boolean
  /** Whether a line said so, and none has said that it is over. */
  isTold: boolean
}

/**
 * Few words for what fails over and over: the first failure is told at once, what goes on is told every `remindMs`, and the first
 * success after that ends it. Of something that fails now and then it is told once in `remindMs` that it began; what fails
 * between is in the next line's count. While nothing is tried, nothing ends.
 * @param now milliseconds that only go forward
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
    // What was never told, and not long ago, is counted with what follows.
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

export type OngoingFailure = { seconds: number; failures: number }

type FailureMessages = {
  begins(name: string, failing: OngoingFailure, cause: unknown): void
  goesOn(name: string, failing: OngoingFailure, cause: unknown): void
  ends(name: string, failing: OngoingFailure): void
}

export type FailureLog = { failed(name: string, cause: unknown): void; succeeded(name: string): void }

type FailureState = {
  since: number
  failures: number
  lastFailure: number
  toldAt: number | null
  isFailing: boolean
  isTold: boolean
}

/**
 * Logs repeated failures in a few lines: the first failure immediately, a reminder every `remindMs`, and the first success afterwards. A
 * failure that comes and goes is logged as new at most once per `remindMs`; failures in between are counted in the next line. A failure
 * continues until an attempt succeeds.
 * @param now monotonic milliseconds
 */
export function createFailureLog(
  words: FailureMessages,
  remindMs: number,
  now = (): number => performance.now(),
): FailureLog {
  const failureStates = new Map<string, FailureState>()
  const toOngoingFailure = ({ since, failures }: FailureState): OngoingFailure => ({
    seconds: Math.round((now() - since) / 1_000),
    failures,
  })

  function getFailureState(name: string): FailureState {
    const known = failureStates.get(name)
    if (known?.isFailing) return known
    // Recent failures that have not been logged yet are counted together with this one.
    const isUnreported = known !== undefined && !known.isTold && now() - known.lastFailure < remindMs
    const previousCount = isUnreported && known.failures > 0 ? known : { since: now(), failures: 0 }
    const entry: FailureState = {
      since: previousCount.since,
      failures: previousCount.failures,
      lastFailure: now(),
      toldAt: known?.toldAt ?? null,
      isFailing: true,
      isTold: false,
    }
    failureStates.set(name, entry)
    return entry
  }

  return {
    failed(name, cause) {
      const entry = getFailureState(name)
      entry.failures += 1
      entry.lastFailure = now()
      if (entry.toldAt !== null && now() - entry.toldAt < remindMs) return
      const logMessage = entry.isTold ? words.goesOn : words.begins
      entry.toldAt = now()
      entry.isTold = true
      logMessage(name, toOngoingFailure(entry), cause)
    },
    succeeded(name) {
      const entry = failureStates.get(name)
      if (!entry?.isFailing) return
      entry.isFailing = false
      if (!entry.isTold) return
      words.ends(name, toOngoingFailure(entry))
      entry.isTold = false
      entry.failures = 0
    },
  }
}

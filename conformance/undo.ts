import { setTimeout as delay } from 'node:timers/promises'

/** Undoes an effect. Returns `null` on success, otherwise the reason why it failed. */
export type UndoAction = (signal: AbortSignal) => Promise<string | null>

export type TrackedEffect = {
  gone(): void
  becomes(what: string, takeBack: UndoAction): void
}

export type RemainingEffect = { what: string; why: string }

export type Undo = {
  /** Registers an effect and how to undo it. Must be called before the request is sent, because the response may be lost. */
  made(what: string, takeBack: UndoAction): TrackedEffect
  /** Undoes all registered effects, newest first, and returns those that could not be undone. `signal` aborts this immediately. */
  all(options: { ms: number; signal: AbortSignal }): Promise<RemainingEffect[]>
}

const retryDelaysMs = [0, 200, 800]

/**
 * Keeps track of effects that must be undone. `tell` is called immediately for each effect, so that it has been
 * reported even if the process is killed.
 */
export function createUndoTracker(tell: (what: string) => void): Undo {
  const trackedEffects = new Set<{ what: string; takeBack: UndoAction }>()
  return {
    made(what, takeBack) {
      const trackedEffect = { what, takeBack }
      trackedEffects.add(trackedEffect)
      tell(what)
      return {
        gone: () => void trackedEffects.delete(trackedEffect),
        becomes: (now, back) => void Object.assign(trackedEffect, { what: now, takeBack: back }),
      }
    },
    async all({ ms, signal }) {
      const left: RemainingEffect[] = []
      for (const { what, takeBack } of [...trackedEffects].toReversed()) {
        const why = await undoWithRetries(takeBack, AbortSignal.any([signal, AbortSignal.timeout(ms)]))
        if (why !== null) left.push({ what, why })
      }
      trackedEffects.clear()
      return left
    },
  }
}

async function undoWithRetries(takeBack: UndoAction, signal: AbortSignal): Promise<string | null> {
  let why = 'there was no time to remove it'
  for (const ms of retryDelaysMs) {
    try {
      await delay(ms, undefined, { signal })
      const answer = await takeBack(signal)
      if (answer === null) return null
      why = answer
    } catch (error) {
      if (!signal.aborted) why = error instanceof Error ? error.message : String(error)
    }
  }
  return why
}

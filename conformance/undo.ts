import { setTimeout as delay } from 'node:timers/promises'

/** Takes something back: null when it is gone, or why it is not. */
export type TakeBack = (signal: AbortSignal) => Promise<string | null>

/** Something that the suite has made at somebody else's, or may have made. */
export type Made = {
  /** There is nothing to take back any more. */
  gone(): void
  /** It is now this, and taken back in another way. */
  becomes(what: string, takeBack: TakeBack): void
}

export type LeftBehind = { what: string; why: string }

export type Undo = {
  /** Noted before the call leaves that makes it: an answer may be lost. */
  made(what: string, takeBack: TakeBack): Made
  /** Takes back what is left, the newest first, and answers what could not be. `signal` ends it at once. */
  all(options: { ms: number; signal: AbortSignal }): Promise<LeftBehind[]>
}

const triesAfterMs = [0, 200, 800]

/** Keeps what has to be taken back. `tell` hears of each thing at once, so that a process that is killed has said it. */
export function createUndo(tell: (what: string) => void): Undo {
  const things = new Set<{ what: string; takeBack: TakeBack }>()
  return {
    made(what, takeBack) {
      const thing = { what, takeBack }
      things.add(thing)
      tell(what)
      return {
        gone: () => void things.delete(thing),
        becomes: (now, back) => void Object.assign(thing, { what: now, takeBack: back }),
      }
    },
    async all({ ms, signal }) {
      const left: LeftBehind[] = []
      for (const { what, takeBack } of [...things].toReversed()) {
        const why = await tryToTakeBack(takeBack, AbortSignal.any([signal, AbortSignal.timeout(ms)]))
        if (why !== null) left.push({ what, why })
      }
      things.clear()
      return left
    },
  }
}

async function tryToTakeBack(takeBack: TakeBack, signal: AbortSignal): Promise<string | null> {
  let why = 'there was no time for it'
  for (const ms of triesAfterMs) {
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

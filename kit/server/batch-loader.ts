import { AsyncLocalStorage } from 'node:async_hooks'

type PendingItem<Item, Answer> = { item: Item; answered: PromiseWithResolvers<Answer> }

/**
 * Combines concurrent requests for single items into batches. Requests of one event loop turn go together, and requests that arrive during
 * a batch go with the next batch. A failing item does not affect the others: if a batch fails, each of its items is requested alone.
 * @param ask returns the answers in the order of the items
 */
export function batchLoader<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  most = 50,
): (item: Item) => Promise<Answer> {
  const waiting: PendingItem<Item, Answer>[] = []
  // A batch serves several callers, so it runs without the timeouts and traces of any one caller.
  const withoutRequestContext = AsyncLocalStorage.snapshot()
  let isAsking = false

  async function runNextBatch(): Promise<void> {
    if (isAsking || waiting.length === 0) return
    isAsking = true
    await resolveBatch(ask, waiting.splice(0, most))
    isAsking = false
    void runNextBatch()
  }

  return (item) => {
    const result = Promise.withResolvers<Answer>()
    waiting.push({ item, answered: result })
    if (waiting.length === 1) withoutRequestContext(() => setImmediate(() => void runNextBatch()))
    return result.promise
  }
}

/** Requests a batch of items. Never rejects: a failure goes to the callers of the items. */
async function resolveBatch<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  asked: readonly PendingItem<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await ask(asked.map(({ item }) => item))
    asked.forEach(({ answered }, at) => answered.resolve(answers[at]!))
  } catch (error) {
    if (asked.length === 1) asked[0]!.answered.reject(error)
    else for (const each of asked) await resolveBatch(ask, [each])
  }
}

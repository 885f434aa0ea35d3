import { AsyncLocalStorage } from 'node:async_hooks'

type PendingItem<Item, Answer> = { item: Item; answered: PromiseWithResolvers<Answer> }

/**
 * Combines concurrent requests for single items into batches. Requests made in the same event loop turn share a batch, and requests that
 * arrive while a batch is running go into the next one. A failing item does not affect the others: if a batch fails, each of its items is
 * requested again on its own.
 * @param ask returns the answers in the same order as the items
 */
export function batchLoader<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  most = 50,
): (item: Item) => Promise<Answer> {
  const pendingItems: PendingItem<Item, Answer>[] = []
  // A batch serves several callers, so it must not run under any one caller's timeouts and traces.
  const withoutRequestContext = AsyncLocalStorage.snapshot()
  let isAsking = false

  async function runNextBatch(): Promise<void> {
    if (isAsking || pendingItems.length === 0) return
    isAsking = true
    await resolveBatch(ask, pendingItems.splice(0, most))
    isAsking = false
    void runNextBatch()
  }

  return (item) => {
    const result = Promise.withResolvers<Answer>()
    pendingItems.push({ item, answered: result })
    if (pendingItems.length === 1) withoutRequestContext(() => setImmediate(() => void runNextBatch()))
    return result.promise
  }
}

/** Requests a batch of items. It never rejects; a failure is passed on to the items' callers. */
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

import { AsyncLocalStorage } from 'node:async_hooks'

type Waiting<Item, Answer> = { item: Item; answered: PromiseWithResolvers<Answer> }

/**
 * Has what is asked one by one, beside each other, asked together: what comes in one turn goes at once, and what comes while a question is
 * on its way goes with the next. One in trouble takes no others with it: where a question for many fails, each of them is asked alone.
 * @param ask answers each in its place
 */
export function gathered<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  most = 50,
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  // It is asked for none of them more than for the others: whose bounds and traces they come with, it does not have.
  const byItself = AsyncLocalStorage.snapshot()
  let isAsking = false

  async function goOn(): Promise<void> {
    if (isAsking || waiting.length === 0) return
    isAsking = true
    await answer(ask, waiting.splice(0, most))
    isAsking = false
    void goOn()
  }

  return (item) => {
    const answered = Promise.withResolvers<Answer>()
    waiting.push({ item, answered })
    if (waiting.length === 1) byItself(() => setImmediate(() => void goOn()))
    return answered.promise
  }
}

/** It does not fail: those who asked hear of it. */
async function answer<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  asked: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await ask(asked.map(({ item }) => item))
    asked.forEach(({ answered }, at) => answered.resolve(answers[at]!))
  } catch (error) {
    if (asked.length === 1) asked[0]!.answered.reject(error)
    else for (const each of asked) await answer(ask, [each])
  }
}

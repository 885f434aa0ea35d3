import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, errorsOf, type FieldErrors } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { orderMessages } from '../orders.contract.ts'
import { clearIdempotencyKey, idempotencyKey } from '#kit/web/idempotency-key.ts'
import { resumeUntilKnown } from './resume.ts'

/** What the page shows that it costs. */
export type Shown = {
  price: string
  /** Of what, where the page offers more than that. */
  title?: string
  /** It costs something else by now, and nothing was charged: the page is to show that. The form says it. */
  onNewPrice?: (price: string) => void | Promise<void>
}

type Options = {
  /** Names what is bought, in this tab: there is one key for each. */
  purchase: string
  /** The code of an order whose outcome is not known. It is asked after until it is; null when there is none. */
  inDoubt: string | null
  /** The order in doubt was paid. */
  onPaid: () => void
  /** Nothing was kept of the order in doubt; the form shows why. */
  onRefused: (errors: FieldErrors) => void
}

export type PaymentCall = {
  /** Makes the call that pays what the page shows, with the purchase's key. @throws what the call does, for the form */
  pay<A extends { status: number }>(
    shown: Shown | undefined,
    call: (headers: Record<string, string>) => Promise<A>,
  ): Promise<A>
  /** Two minutes of asking have not told the outcome: the customer says when to go on. */
  isPaused: boolean
  askAgain: () => void
}

/** Pays for one thing once, however often the button is pressed, the page reloaded or an answer lost. */
export function usePayment({ purchase, inDoubt, onPaid, onRefused }: Options): PaymentCall {
  const api = useApi()
  const [round, setRound] = useState(0)
  const [isPaused, setPaused] = useState(false)

  useEffect(() => void idempotencyKey(purchase), [purchase])

  const paid = useEffectEvent(() => {
    clearIdempotencyKey(purchase)
    onPaid()
  })
  const refused = useEffectEvent((failure: unknown) => {
    if (isDefinite(failure)) clearIdempotencyKey(purchase)
    onRefused(errorsOf(failure))
  })
  useEffect(() => {
    if (inDoubt === null) return
    const leaving = new AbortController()
    const { signal } = leaving
    setPaused(false)
    resumeUntilKnown(api, inDoubt, signal).then(
      (outcome) => {
        if (signal.aborted) return
        if (outcome === 'paid') paid()
        else setPaused(true)
      },
      (failure: unknown) => signal.aborted || refused(failure),
    )
    return () => leaving.abort()
  }, [api, inDoubt, round])

  return {
    async pay(shown, call) {
      try {
        const answer = await call({ 'idempotency-key': idempotencyKey(purchase) })
        if (answer.status === 200) clearIdempotencyKey(purchase)
        return answer
      } catch (failure) {
        const price = failure instanceof ApiError && failure.status === 409 && priceIn(failure.body)
        if (price || isDefinite(failure)) clearIdempotencyKey(purchase)
        if (!price || !shown) throw failure
        await shown.onNewPrice?.(price)
        throw new ApiError(400, { __all__: [orderMessages.newPrice(price, shown.price, shown.title)] })
      }
    },
    isPaused,
    askAgain: () => setRound((count) => count + 1),
  }
}

/** A clear no. Any other failure leaves open whether the call has done something. */
const isDefinite = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 400

/** What it costs by now, where that is why nothing was charged. */
const priceIn = (body: unknown): string | undefined => (body as { total?: string } | undefined)?.total

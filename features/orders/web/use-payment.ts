import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, errorsOf, type FieldErrors } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { orderMessages } from '../orders.contract.ts'
import { clearIdempotencyKey, idempotencyKey } from '#kit/web/idempotency-key.ts'
import { resumeUntilKnown } from './resume.ts'

export type Shown = {
  price: string
  title?: string
  /** The price has changed, and nothing was charged. The page must show the new price; the form shows the message. */
  onNewPrice?: (price: string) => void | Promise<void>
}

type Options = {
  /** Identifies the purchase in this tab. Each purchase has its own idempotency key. */
  purchase: string
  inDoubt: string | null
  onPaid: () => void
  onRefused: (errors: FieldErrors) => void
}

export type PaymentCall = {
  /** Sends the paying request with the purchase's idempotency key. @throws the error of the request, for the form */
  pay<A extends { status: number }>(
    shown: Shown | undefined,
    call: (headers: Record<string, string>) => Promise<A>,
  ): Promise<A>
  /** The outcome is still unknown after two minutes of polling, and the customer decides when to continue. */
  isPaused: boolean
  askAgain: () => void
}

/**
 * Pays for one purchase at most once, even if the button is pressed again, the page is reloaded or a response is lost.
 */
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

/** A definite refusal. After any other failure, the server may have processed the request. */
const isDefinite = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 400

const priceIn = (body: unknown): string | undefined => (body as { total?: string } | undefined)?.total

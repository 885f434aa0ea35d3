import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, toFormErrors, type FieldErrors } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { orderMessages } from '../orders.contract.ts'
import { clearIdempotencyKey, getIdempotencyKey } from '#kit/web/idempotency-key.ts'
import { pollPaymentOutcome } from './poll-order.ts'

export type ShownPrice = {
  price: string
  title?: string
  /** Called when the price has changed and nothing was charged. The page must display the new price; the form shows the message. */
  onNewPrice?: (price: string) => void | Promise<void>
}

type PaymentOptions = {
  /** Identifies the purchase within this tab. Each purchase has its own idempotency key. */
  purchase: string
  inDoubt: string | null
  onPaid: () => void
  onRefused: (errors: FieldErrors) => void
}

export type PaymentSubmission = {
  /**
   * Sends the payment request with the purchase's idempotency key.
   * @throws the request's error, which the form shows
   */
  pay<A extends { status: number }>(
    shown: ShownPrice | undefined,
    call: (headers: Record<string, string>) => Promise<A>,
  ): Promise<A>
  /** Whether polling stopped after two minutes without an outcome. The customer then decides when to check again. */
  isPaused: boolean
  askAgain: () => void
}

/** Pays for a purchase at most once, even if the customer presses the button again or reloads, or a response is lost. */
export function usePayment({ purchase, inDoubt, onPaid, onRefused }: PaymentOptions): PaymentSubmission {
  const api = useApi()
  const [pollRound, setPollRound] = useState(0)
  const [isPaused, setPaused] = useState(false)

  useEffect(() => void getIdempotencyKey(purchase), [purchase])

  const handlePaid = useEffectEvent(() => {
    clearIdempotencyKey(purchase)
    onPaid()
  })
  const handleRefused = useEffectEvent((failure: unknown) => {
    if (isDefiniteRefusal(failure)) clearIdempotencyKey(purchase)
    onRefused(toFormErrors(failure))
  })
  useEffect(() => {
    if (inDoubt === null) return
    const abortController = new AbortController()
    const { signal } = abortController
    setPaused(false)
    pollPaymentOutcome(api, inDoubt, signal).then(
      (outcome) => {
        if (signal.aborted) return
        if (outcome === 'paid') handlePaid()
        else setPaused(true)
      },
      (failure: unknown) => signal.aborted || handleRefused(failure),
    )
    return () => abortController.abort()
  }, [api, inDoubt, pollRound])

  return {
    async pay(shown, call) {
      try {
        const response = await call({ 'idempotency-key': getIdempotencyKey(purchase) })
        if (response.status === 200) clearIdempotencyKey(purchase)
        return response
      } catch (failure) {
        const changedPrice = failure instanceof ApiError && failure.status === 409 && readNewPrice(failure.body)
        if (changedPrice || isDefiniteRefusal(failure)) clearIdempotencyKey(purchase)
        if (!changedPrice || !shown) throw failure
        await shown.onNewPrice?.(changedPrice)
        throw new ApiError(400, { __all__: [orderMessages.newPrice(changedPrice, shown.price, shown.title)] })
      }
    },
    isPaused,
    askAgain: () => setPollRound((count) => count + 1),
  }
}

/** Whether the server has definitely refused the purchase. After any other failure, it may have gone through. */
const isDefiniteRefusal = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 400

const readNewPrice = (body: unknown): string | undefined => (body as { total?: string } | undefined)?.total

import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { idempotencyKey, settleKey } from './idempotency-key.ts'
import { resumeUntilKnown } from './resume.ts'

/** `confirming`: the outcome is asked for; `undecided`: it took too long, and the customer may ask once more. */
export type PaymentPhase = 'form' | 'confirming' | 'undecided'

type Sent = { status: number; data: unknown }
type Doubt = { order_code: string; retry: true }

type Options<Accepted> = {
  /** Names the purchase in this tab; one key for each. */
  purpose: string
  /** `answer` is the call's own when it said yes at once, else null. */
  onAccepted: (answer: Accepted | null) => Promise<void> | void
}

/** Sends a payment once, however often it is sent: a press again, a refresh and a lost answer buy one thing. */
export function usePayment<Accepted>({ purpose, onAccepted }: Options<Accepted>) {
  const api = useApi()
  const [phase, setPhase] = useState<PaymentPhase>('form')
  const [doubt, setDoubt] = useState<string | null>(null)
  const gone = useRef(new AbortController())
  useEffect(() => {
    gone.current = new AbortController()
    return () => gone.current.abort()
  }, [])

  /** Asks until the outcome is known. @throws ApiError 400 when nothing was kept of the order */
  async function confirm(orderCode: string): Promise<void> {
    setDoubt(orderCode)
    setPhase('confirming')
    try {
      const outcome = await resumeUntilKnown(api, orderCode, gone.current.signal)
      if (gone.current.signal.aborted) return
      if (outcome === 'unknown') return setPhase('undecided')
      settleKey(purpose)
      await onAccepted(null)
    } catch (failure) {
      settleKey(purpose)
      setPhase('form')
      throw failure
    }
  }

  /** @throws what the form shows; the key stays as long as the outcome is open */
  async function pay(send: (headers: Record<string, string>) => Promise<Sent>): Promise<void> {
    try {
      const { status, data } = await send({ 'Idempotency-Key': idempotencyKey(purpose) })
      if (status === 202) return await confirm((data as Doubt).order_code)
      settleKey(purpose)
      await onAccepted(data as Accepted)
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 400) settleKey(purpose)
      throw failure
    }
  }

  return { phase, pay, confirm, again: () => (doubt ? confirm(doubt) : Promise.resolve()) }
}

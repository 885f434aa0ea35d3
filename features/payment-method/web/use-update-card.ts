import { useEffect, useRef, useState } from 'react'
import type { CardFormValues } from '#kit/contract/card.contract.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { createCardSchema, emptyCard, encryptCardFields, preloadEncryption } from '#kit/web/card/encrypted-card.ts'
import type { Form } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { clearIdempotencyKey, getIdempotencyKey } from '#kit/web/idempotency-key.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { updatePaymentMethod } from '../payment-method.contract.ts'
import { pollUntilOutcome } from './poll-until-outcome.ts'
import { setCachedCard } from './set-cached-card.ts'

const idempotencyAction = 'update-payment'

type UseUpdateCardResult = {
  form: Form<CardFormValues>
  /**
   * `null` unless a card has been sent and its outcome is unknown. `paused` means that polling stops until the customer asks to check
   * again.
   */
  waiting: 'asking' | 'paused' | null
  askAgain: () => void
}

/** Manages a form that stores a card only once, even if the customer presses the button again or a response is lost. */
export function useUpdateCard({ onDone }: { onDone: () => void }): UseUpdateCardResult {
  const bootstrap = useBootstrap()
  const client = useQueryClient()
  const [schema] = useState(() => createCardSchema(bootstrap))
  const { store, waiting, askAgain } = useStoreCard()

  const form = useForm({
    schema,
    initial: emptyCard,
    async submit(card) {
      const body = { payment_method: '1', use_saved_card: false, ...(await encryptCardFields(bootstrap, card)) }
      try {
        const storedCard = await store(body)
        clearIdempotencyKey(idempotencyAction)
        return storedCard
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 400) clearIdempotencyKey(idempotencyAction)
        throw failure
      }
    },
    onSuccess(card) {
      setCachedCard(client, card)
      onDone()
    },
  })

  const { dirty, values } = form
  useEffect(() => {
    if (dirty) preloadEncryption()
  }, [dirty])
  // Changing the details or reopening the form means a new card, which needs an idempotency key of its own.
  useEffect(() => clearIdempotencyKey(idempotencyAction), [values])

  return { form, waiting, askAgain }
}

type UseStoreCardResult = Pick<UseUpdateCardResult, 'waiting' | 'askAgain'> & {
  /** @throws the same errors as the API request that stores the card */
  store: (body: object) => Promise<CardToken>
}

function useStoreCard(): UseStoreCardResult {
  const api = useApi()
  const [waiting, setWaiting] = useState<UseUpdateCardResult['waiting']>(null)
  const resumePolling = useRef<() => void>(undefined)
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => {
    const currentController = (abortController.current = new AbortController())
    return () => currentController.abort()
  }, [])

  async function store(body: object): Promise<CardToken> {
    const key = getIdempotencyKey(idempotencyAction)
    const requestUpdate = async () => {
      const { status, data } = await api.call(updatePaymentMethod, { body, headers: { 'idempotency-key': key } })
      return status === 200 ? data.credit_card_token : null
    }
    return (await requestUpdate()) ?? pollForResult(requestUpdate)
  }

  async function pollForResult(ask: () => Promise<CardToken | null>): Promise<CardToken> {
    const signal = abortController.current?.signal ?? AbortSignal.abort()
    try {
      for (;;) {
        setWaiting('asking')
        const result = await pollUntilOutcome(ask, signal)
        if (result) return result
        const { promise, resolve } = Promise.withResolvers<void>()
        resumePolling.current = resolve
        setWaiting('paused')
        // If the customer leaves the page, this promise never resolves, because nothing needs its result any more.
        await promise
      }
    } finally {
      setWaiting(null)
    }
  }

  return { store, waiting, askAgain: () => resumePolling.current?.() }
}

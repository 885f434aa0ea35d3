import { useEffect, useRef, useState } from 'react'
import type { CardForm } from '#kit/contract/card.contract.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { cardSchemaNow, emptyCard, encryptedCard, prepareEncryption } from '#kit/web/card/encrypted-card.ts'
import type { Form } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { clearIdempotencyKey, idempotencyKey } from '#kit/web/idempotency-key.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { updatePayment } from '../payment-method.contract.ts'
import { askUntilKnown } from './ask-until-known.ts'
import { showCard } from './show-card.ts'

const act = 'update-payment'

type UpdateCard = {
  form: Form<CardForm>
  /**
   * `null` unless a card was sent and its outcome is unknown. `paused` means that polling resumes only when the
   * customer asks.
   */
  waiting: 'asking' | 'paused' | null
  askAgain: () => void
}

/** A form that stores a card once, even when the button is pressed again or a response is lost. */
export function useUpdateCard({ onDone }: { onDone: () => void }): UpdateCard {
  const bootstrap = useBootstrap()
  const client = useQueryClient()
  const [schema] = useState(() => cardSchemaNow(bootstrap))
  const { store, waiting, askAgain } = useStoring()

  const form = useForm({
    schema,
    initial: emptyCard,
    async submit(card) {
      const body = { payment_method: '1', use_saved_card: false, ...(await encryptedCard(bootstrap, card)) }
      try {
        const stored = await store(body)
        clearIdempotencyKey(act)
        return stored
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 400) clearIdempotencyKey(act)
        throw failure
      }
    },
    onSuccess(card) {
      showCard(client, card)
      onDone()
    },
  })

  const { dirty, values } = form
  useEffect(() => {
    if (dirty) prepareEncryption()
  }, [dirty])
  // Changed details are a new card, and so is a reopened form. A new idempotency key keeps the outcome of an earlier
  // card from being taken for the new card's.
  useEffect(() => clearIdempotencyKey(act), [values])

  return { form, waiting, askAgain }
}

type Storing = Pick<UpdateCard, 'waiting' | 'askAgain'> & {
  /** @throws the errors of the API call */
  store: (body: object) => Promise<CardToken>
}

function useStoring(): Storing {
  const api = useApi()
  const [waiting, setWaiting] = useState<UpdateCard['waiting']>(null)
  const goOn = useRef<() => void>(undefined)
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const here = (leaving.current = new AbortController())
    return () => here.abort()
  }, [])

  async function store(body: object): Promise<CardToken> {
    const key = idempotencyKey(act)
    const ask = async () => {
      const { status, data } = await api.call(updatePayment, { body, headers: { 'idempotency-key': key } })
      return status === 200 ? data.credit_card_token : null
    }
    return (await ask()) ?? waitFor(ask)
  }

  async function waitFor(ask: () => Promise<CardToken | null>): Promise<CardToken> {
    const signal = leaving.current?.signal ?? AbortSignal.abort()
    try {
      for (;;) {
        setWaiting('asking')
        const known = await askUntilKnown(ask, signal)
        if (known) return known
        const { promise, resolve } = Promise.withResolvers<void>()
        goOn.current = resolve
        setWaiting('paused')
        // After the customer leaves the page, this promise never resolves, and nobody needs its result.
        await promise
      }
    } finally {
      setWaiting(null)
    }
  }

  return { store, waiting, askAgain: () => goOn.current?.() }
}

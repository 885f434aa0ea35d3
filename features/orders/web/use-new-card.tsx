import { useEffect, useState } from 'react'
import type { GenericSchema, ObjectEntries } from 'valibot'
import type { CardForm } from '#kit/contract/card.contract.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CardFields } from '#kit/web/card/CardFields.tsx'
import { cardSchemaNow, encryptedCard, prepareEncryption } from '#kit/web/card/encrypted-card.ts'
import type { Form } from '#kit/web/form/form.ts'
import type { Elements } from '#kit/web/text-elements.tsx'

export type NewCard = {
  schema: GenericSchema
  inputs: (form: Form<CardForm>) => Elements
  fieldsOf: (card: CardForm) => Promise<object>
}

export function useNewCard(others: ObjectEntries): NewCard {
  const bootstrap = useBootstrap()
  const [schema] = useState(() => cardSchemaNow(bootstrap, others))
  return {
    schema,
    inputs: (form) => <Card form={form} />,
    fieldsOf: async (card) => ({ use_saved_card: false, ...(await encryptedCard(bootstrap, card)) }),
  }
}

function Card({ form }: { form: Form<CardForm> }) {
  const { dirty } = form
  useEffect(() => {
    if (dirty) prepareEncryption()
  }, [dirty])

  return <CardFields form={form} />
}

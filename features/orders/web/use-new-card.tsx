import { useEffect, useState } from 'react'
import type { GenericSchema, ObjectEntries } from 'valibot'
import type { CardFormValues } from '#kit/contract/card.contract.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CardFields } from '#kit/web/card/CardFields.tsx'
import { createCardSchema, encryptCardFields, preloadEncryption } from '#kit/web/card/encrypted-card.ts'
import type { Form } from '#kit/web/form/form.ts'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'

export type NewCard = {
  schema: GenericSchema
  inputs: (form: Form<CardFormValues>) => TextFreeNode
  fieldsOf: (card: CardFormValues) => Promise<object>
}

export function useNewCard(otherRules: ObjectEntries): NewCard {
  const bootstrap = useBootstrap()
  const [schema] = useState(() => createCardSchema(bootstrap, otherRules))
  return {
    schema,
    inputs: (form) => <NewCardFields form={form} />,
    fieldsOf: async (card) => ({ use_saved_card: false, ...(await encryptCardFields(bootstrap, card)) }),
  }
}

function NewCardFields({ form }: { form: Form<CardFormValues> }) {
  const { dirty } = form
  useEffect(() => {
    if (dirty) preloadEncryption()
  }, [dirty])

  return <CardFields form={form} />
}

import { useState } from 'react'
import { object, type ObjectEntries } from 'valibot'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { type NewCard, useNewCard } from './use-new-card.tsx'

export type CardChoice = NewCard & {
  saved: CardToken | null
  isUsable: boolean
  usesSaved: boolean
  choose: (selection: 'saved' | 'another') => void
}

export function useCardChoice(saved: CardToken | null, otherRules: ObjectEntries): CardChoice {
  const newCard = useNewCard(otherRules)
  const [otherSchema] = useState(() => object(otherRules))
  const isSavedCardUsable = saved !== null && !saved.is_expired
  // This initial choice is kept, so that saving a card in another tab does not remove the fields the customer is filling in.
  const [usesAnother, setUsesAnother] = useState(!isSavedCardUsable)
  const usesSavedCard = isSavedCardUsable && !usesAnother

  return {
    ...newCard,
    ...(usesSavedCard && { schema: otherSchema, fieldsOf: async () => ({ use_saved_card: true }) }),
    saved,
    isUsable: isSavedCardUsable,
    usesSaved: usesSavedCard,
    choose: (selection) => setUsesAnother(selection === 'another'),
  }
}

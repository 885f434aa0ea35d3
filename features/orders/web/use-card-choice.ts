import { useState } from 'react'
import { object, type ObjectEntries } from 'valibot'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { type NewCard, useNewCard } from './use-new-card.tsx'

export type CardChoice = NewCard & {
  saved: CardToken | null
  isUsable: boolean
  usesSaved: boolean
  choose: (which: 'saved' | 'another') => void
}

export function useCardChoice(saved: CardToken | null, others: ObjectEntries): CardChoice {
  const newCard = useNewCard(others)
  const [ofOthers] = useState(() => object(others))
  const isUsable = saved !== null && !saved.is_expired
  // The choice is fixed at the start. A card saved in another tab meanwhile does not remove the fields that the
  // customer is filling in.
  const [another, setAnother] = useState(!isUsable)
  const usesSaved = isUsable && !another

  return {
    ...newCard,
    ...(usesSaved && { schema: ofOthers, fieldsOf: async () => ({ use_saved_card: true }) }),
    saved,
    isUsable,
    usesSaved,
    choose: (which) => setAnother(which === 'another'),
  }
}

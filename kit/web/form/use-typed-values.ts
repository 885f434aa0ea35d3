import { useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react'
import { readDraft, writeDraft } from './drafts.ts'
import { readTypedValues } from './form-elements.ts'
import type { FormState } from './form-state.ts'
import type { FormOptions } from './form.ts'

export function useTypedValues<V extends object>(
  form: RefObject<HTMLFormElement | null>,
  { values, dirty }: FormState<V>,
  { initial, draftKey, draftOmit = [] }: Pick<FormOptions<V>, 'initial' | 'draftKey' | 'draftOmit'>,
  setMany: (change: Partial<V>) => void,
): boolean {
  const [hydrated, setHydrated] = useState(false)

  const restoreTypedValues = useEffectEvent(() => {
    const draft = draftKey ? readDraft(draftKey, initial, draftOmit) : {}
    const change: Partial<V> = { ...draft, ...(form.current && readTypedValues(form.current, initial)) }
    if (Object.keys(change).length > 0) setMany(change)
    setHydrated(true)
  })
  // The effect runs before React renders again, because rendering would overwrite values that were typed into the elements.
  useLayoutEffect(() => restoreTypedValues(), [])

  const saveValues = useEffectEvent(() => {
    if (draftKey && dirty.length > 0) writeDraft(draftKey, values, draftOmit)
  })
  useEffect(() => saveValues(), [values])

  return hydrated
}

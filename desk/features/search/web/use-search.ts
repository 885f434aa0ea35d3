import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { search, type Results } from '../search.contract.ts'

export const pauseMs = 150
/** A single letter would match everyone. */
export const leastLetters = 2

/** `of` is the text that these results belong to. The current text may be another. */
type Looked = { of: string; results: Results | null; error: ApiError | null }
const nothing: Looked = { of: '', results: null, error: null }

/** Results of the current text, which is sent once the person pauses. A response to an older text is dropped. */
export function useSearch(text: string): Looked {
  const api = useApi()
  const [looked, setLooked] = useState<Looked>(nothing)

  const ask = useEffectEvent(async (isWanted: () => boolean) => {
    const found = await api.call(search, { query: { q: text } }).then(
      ({ data }): Looked => ({ of: text, results: data, error: null }),
      (error: unknown): Looked => ({
        of: text,
        results: null,
        error: error instanceof ApiError ? error : new ApiError(0, undefined),
      }),
    )
    if (isWanted()) setLooked(found)
  })

  useEffect(() => {
    let isWanted = true
    if (text.length < leastLetters) setLooked(nothing)
    else {
      const timer = setTimeout(() => void ask(() => isWanted), pauseMs)
      return () => {
        isWanted = false
        clearTimeout(timer)
      }
    }
    return undefined
  }, [text])
  return looked
}

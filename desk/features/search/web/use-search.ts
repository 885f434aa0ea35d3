import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { search, type SearchResults } from '../search.contract.ts'

export const debounceMs = 150
/** A search needs at least two letters, because a single letter would match almost everyone. */
export const minSearchLetters = 2

/** `of` is the text for which these results were found. The text in the field may have changed since. */
type SearchState = { of: string; results: SearchResults | null; error: ApiError | null }
const emptySearchState: SearchState = { of: '', results: null, error: null }

/** Searches for the current text once the person pauses typing. If a response for an older text arrives late, it is dropped. */
export function useSearch(text: string): SearchState {
  const api = useApi()
  const [state, setState] = useState<SearchState>(emptySearchState)

  const runSearch = useEffectEvent(async (isWanted: () => boolean) => {
    const found = await api.call(search, { query: { q: text } }).then(
      ({ data }): SearchState => ({ of: text, results: data, error: null }),
      (error: unknown): SearchState => ({
        of: text,
        results: null,
        error: error instanceof ApiError ? error : new ApiError(0, undefined),
      }),
    )
    if (isWanted()) setState(found)
  })

  useEffect(() => {
    let isWanted = true
    if (text.length < minSearchLetters) setState(emptySearchState)
    else {
      const timer = setTimeout(() => void runSearch(() => isWanted), debounceMs)
      return () => {
        isWanted = false
        clearTimeout(timer)
      }
    }
    return undefined
  }, [text])
  return state
}

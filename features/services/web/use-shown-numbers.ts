import { useState } from 'react'
import type { QueryKey } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { numbersPerPage } from '../services.contract.ts'
import { readFirstServiceId } from './services.queries.ts'

/**
 * How many numbers the lists in this tab show. The count is kept, so that the next page shows an extended list as well.
 */
const shownNumbersCountKey: QueryKey<number> = ['shown-numbers']

export type ShownNumbers<T = unknown> = {
  numbers: readonly T[]
  next: string | null
  first: string | null
  showMore(): void
}

/**
 * Returns the visible part of a long list of numbers: the first 50, or the 50 starting with the URL's `from`, plus the
 * open number. When the server renders a page, `allItems` contains only that part and the number after it.
 */
export function useShownNumbers<T extends { uuid: string }>(allItems: readonly T[], open?: string): ShownNumbers<T> {
  const client = useQueryClient()
  const { path, search } = useRawLocation()
  const [count, setCount] = useState(client.getQueryData(shownNumbersCountKey) ?? numbersPerPage)
  const from = readFirstServiceId(search)
  const firstIndex = allItems.findIndex(({ uuid }) => uuid === from)
  const end = (firstIndex < 0 ? 0 : firstIndex) + count
  const nextItem = allItems[end]
  return {
    numbers: allItems.filter(({ uuid }, at) => (at >= firstIndex && at < end) || uuid === open),
    next: nextItem ? `${path}?from=${nextItem.uuid}` : null,
    first: from === null ? null : path,
    showMore() {
      client.setQueryData(shownNumbersCountKey, count + numbersPerPage)
      setCount(count + numbersPerPage)
    },
  }
}

import { useState } from 'react'
import type { QueryKey } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { numbersPerPage } from '../services.contract.ts'
import { fromIn } from './services.queries.ts'

/** Length of the lists of numbers in this tab, so that an extended list stays extended on the next page. */
const countKey: QueryKey<number> = ['shown-numbers']

export type ShownNumbers<T = unknown> = {
  numbers: readonly T[]
  next: string | null
  first: string | null
  showMore(): void
}

/**
 * The visible part of a long list of numbers: the first 50, or the 50 from the address's `from` on, plus the open
 * number. When the server renders a page, `all` contains only that part and the following number.
 */
export function useShownNumbers<T extends { uuid: string }>(all: readonly T[], open?: string): ShownNumbers<T> {
  const client = useQueryClient()
  const { path, search } = useRawLocation()
  const [count, setCount] = useState(client.getQueryData(countKey) ?? numbersPerPage)
  const from = fromIn(search)
  const found = all.findIndex(({ uuid }) => uuid === from)
  const end = (found < 0 ? 0 : found) + count
  const following = all[end]
  return {
    numbers: all.filter(({ uuid }, at) => (at >= found && at < end) || uuid === open),
    next: following ? `${path}?from=${following.uuid}` : null,
    first: from === null ? null : path,
    showMore() {
      client.setQueryData(countKey, count + numbersPerPage)
      setCount(count + numbersPerPage)
    },
  }
}

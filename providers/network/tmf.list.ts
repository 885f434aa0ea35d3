import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import { isSuccess, type TmfResponse } from './tmf.client.ts'

/** HTTP status that some servers return when a page after the last one is requested. */
const endOfListStatus = 416

/** Maximum milliseconds for reading the whole list. A caller is waiting, and each page only has its own timeout. */
const maxListMs = 15_000

const itemWithIdSchema = v.object({ id: v.union([v.string(), v.number()]) })

/**
 * Reads every page of a list and returns each item once. A list that breaks off counts as no response. Servers choose their own page sizes,
 * so the next page is requested from the number of items received so far. `X-Total-Count` says where the list ends. Without that header,
 * the list ends at an empty page, a page without new items (from a server without paging), or HTTP 416. A short page does not end the list,
 * because the next one may be longer.
 */
export async function readAllPages<S extends v.GenericSchema>(
  ask: (page: string) => Promise<TmfResponse>,
  schema: S,
  { offset: offsetName, limit, size, mostPages }: NetworkMapping['paging'],
): Promise<{ items: v.InferOutput<S>[] } | { why: string }> {
  const items: v.InferOutput<S>[] = []
  const isNew = createRepeatDetector()
  const startedAt = performance.now()
  let totalBefore = 0
  for (let [page, offset] = [0, 0]; page < mostPages; page++) {
    const answer = await ask(new URLSearchParams({ [offsetName]: String(offset), [limit]: String(size) }).toString())
    if ('why' in answer) return answer
    if (performance.now() - startedAt > maxListMs) return { why: 'the list takes too long' }
    if (answer.status === endOfListStatus && offset > 0 && totalBefore === 0) return { items }
    const read = isSuccess(answer.status) ? v.safeParse(v.array(v.unknown()), answer.body) : null
    const parsed = read?.success ? v.safeParse(v.array(schema), read.output, { abortEarly: true }) : null
    if (!read?.success || !parsed?.success)
      return { why: `HTTP ${answer.status}${isSuccess(answer.status) ? ' without a list that can be read' : ''}` }
    const receivedCount = read.output.length
    const newEntryFlags = isNew(read.output)
    // Items are pushed one by one, because a call such as `push(...items)` fails with a hundred thousand arguments.
    parsed.output.forEach((item, index) => {
      if (newEntryFlags[index]) items.push(item)
    })
    offset += receivedCount
    const total = readTotalCount(answer)
    if (total !== null) {
      if (total < totalBefore) return { why: 'the list became shorter while it was read' }
      if (offset >= total) return { items }
      if (receivedCount === 0) return { why: 'the list breaks off' }
      if (!newEntryFlags.includes(true)) return { why: 'the list repeats itself' }
    } else if (!newEntryFlags.includes(true)) return { items }
    totalBefore = total ?? 0
  }
  return { why: 'the list does not end' }
}

/**
 * Creates a function that determines which items on a page are new. Items without an id count as repeated if the whole page is repeated.
 */
function createRepeatDetector(): (page: readonly unknown[]) => boolean[] {
  const seen = new Set<string>()
  return (page) => {
    const text = JSON.stringify(page)
    const isRepeated = seen.has(text)
    seen.add(text)
    return page.map((item) => {
      if (!v.is(itemWithIdSchema, item)) return !isRepeated
      const id = `id ${item.id}`
      if (seen.has(id)) return false
      seen.add(id)
      return true
    })
  }
}

function readTotalCount({ headers }: { headers: Headers }): number | null {
  const text = headers.get('x-total-count')?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
